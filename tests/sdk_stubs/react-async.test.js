// What waits: Suspense, transitions and actions.

import * as React from '@@react'
import { jsx, jsxs } from '@@jsx-runtime'
import { createRoot } from '@@render'
import { Boundary, counted, settle } from '@@react-kit'
import { equal, ok, test } from '@@test'

const { Suspense, lazy, startTransition, use, useActionState, useDeferredValue, useOptimistic, useState, useTransition } = React

// ---------------------------------------------------------------- Suspense

test('Suspense shows its fallback until the promise is there', async () => {
  let answer
  const promise = new Promise((resolve) => (answer = resolve))
  const C = () => jsx('b', { children: use(promise) })
  const root = createRoot(jsxs('p', { children: [jsx(Suspense, { fallback: 'wait', children: jsx(C, {}) }), '!'] }))
  equal(root.markup(), '<p>wait!</p>')
  answer('there')
  await settle()
  ok(root.flush())
  equal(root.markup(), '<p><b>there</b>!</p>')
})

test('a promise that fails is thrown where it is used', async () => {
  const promise = Promise.reject(new Error('no'))
  const C = () => use(promise)
  const root = createRoot(jsx(Boundary, { children: jsx(Suspense, { fallback: 'wait', children: jsx(C, {}) }) }))
  equal(root.markup(), 'wait')
  await settle()
  root.flush()
  equal(root.markup(), 'caught no')
})

test('what was shown before keeps its state while an update waits', async () => {
  let resolve
  let set
  const { note, log } = counted()
  function Kept() {
    const [own] = useState(() => {
      note('made')
      return 'kept'
    })
    return own
  }
  function Page({ promise }) {
    return promise ? use(promise) : 'first'
  }
  function App() {
    const [promise, setPromise] = useState(null)
    set = setPromise
    return jsxs(Suspense, { fallback: 'wait', children: [jsx(Kept, {}), jsx(Page, { promise })] })
  }
  const root = createRoot(jsx(App, {}))
  equal(root.markup(), 'keptfirst')
  set(new Promise((done) => (resolve = done)))
  root.flush()
  equal(root.markup(), 'wait')
  resolve('second')
  await settle()
  root.flush()
  equal([root.markup(), log], ['keptsecond', ['made']])
})

test('lazy loads once, then renders', async () => {
  let loads = 0
  const Later = lazy(async () => {
    loads += 1
    return { default: ({ name }) => `hello ${name}` }
  })
  const root = createRoot(jsx(Suspense, { fallback: 'wait', children: jsx(Later, { name: 'you' }) }))
  equal(root.markup(), 'wait')
  await settle()
  root.flush()
  equal([root.markup(), loads], ['hello you', 1])
})

// ---------------------------------------------------------------- transitions and actions

test('a transition is pending while its promise is', async () => {
  let finish
  let go
  function C() {
    const [pending, start] = useTransition()
    const [n, setN] = useState(0)
    go = () =>
      start(async () => {
        await new Promise((done) => (finish = done))
        setN(1)
      })
    return `${pending} ${n}`
  }
  const root = createRoot(jsx(C, {}))
  go()
  root.flush()
  equal(root.markup(), 'true 0')
  await settle()
  finish()
  await settle()
  root.flush()
  equal(root.markup(), 'false 1')
})

test('useActionState runs actions one after the other with the state before', async () => {
  let run
  function C() {
    const [state, act, pending] = useActionState(async (before, add) => before + add, 1)
    run = act
    return `${state} ${pending}`
  }
  const root = createRoot(jsx(C, {}))
  run(2)
  run(3)
  root.flush()
  equal(root.markup(), '1 true')
  await settle()
  await settle()
  root.flush()
  equal(root.markup(), '6 false')
})

test('an optimistic value holds until the action is done', async () => {
  let go
  let finish
  function C() {
    const [shown, add] = useOptimistic('saved', (_, draft) => `${draft}…`)
    go = () =>
      startTransition(async () => {
        add('new')
        await new Promise((done) => (finish = done))
      })
    return shown
  }
  const root = createRoot(jsx(C, {}))
  go()
  root.flush()
  equal(root.markup(), 'new…')
  finish()
  await settle()
  root.flush()
  equal(root.markup(), 'saved')
})

test('a deferred value follows in the next render', () => {
  const { note, log } = counted()
  let set
  function C() {
    const [text, setText] = useState('a')
    set = setText
    const late = useDeferredValue(text)
    note(`${text}${late}`)
    return late
  }
  const root = createRoot(jsx(C, {}))
  set('b')
  root.flush()
  equal([log, root.markup()], [['aa', 'ba', 'bb'], 'b'])
})

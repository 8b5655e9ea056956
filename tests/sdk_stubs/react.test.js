// What happens after the first render: state, the rules of hooks, what is kept from one render to the next.

import * as React from '@@react'
import { jsx, jsxs } from '@@jsx-runtime'
import { createRoot } from '@@render'
import { reset, seen } from '@@host'
import { button } from '@@react-kit'
import { equal, ok, test, throws } from '@@test'

const { createContext, memo, use, useContext, useEffect, useId, useMemo, useReducer, useRef, useState, useSyncExternalStore } = React

// ---------------------------------------------------------------- state

test('a click changes state and the next tree shows it', () => {
  function Counter() {
    const [count, setCount] = useState(0)
    return jsxs('p', { children: [jsx('button', { onClick: () => setCount((n) => n + 1), children: 'more' }), count] })
  }
  const root = createRoot(jsx(Counter, {}))
  equal(root.markup(), '<p><button>more</button>0</p>')
  ok(root.dispatch(button(root).ref, 'click'), 'a handler ran')
  ok(root.dispatch(button(root).ref, 'click'))
  equal(root.markup(), '<p><button>more</button>2</p>')
})

test('several updates in one handler are one render', () => {
  let renders = 0
  function Counter() {
    const [count, setCount] = useState(0)
    renders += 1
    const thrice = () => {
      setCount(count + 1)
      setCount((n) => n + 1)
      setCount((n) => n + 1)
    }
    return jsx('button', { onClick: thrice, children: count })
  }
  const root = createRoot(jsx(Counter, {}))
  root.dispatch(button(root).ref, 'click')
  equal([root.markup(), renders], ['<button>3</button>', 2])
})

test('setting the value that is there renders nothing', () => {
  let renders = 0
  let set
  function Same() {
    const [value, setValue] = useState('a')
    set = setValue
    renders += 1
    return value
  }
  const root = createRoot(jsx(Same, {}))
  set('a')
  equal([root.flush(), renders], [false, 1])
})

test('setters stay the same function', () => {
  const setters = new Set()
  let again
  function C() {
    const [, set] = useState(0)
    const [, send] = useReducer((n) => n + 1, 0)
    setters.add(set).add(send)
    again = send
    return null
  }
  const root = createRoot(jsx(C, {}))
  again()
  root.flush()
  equal(setters.size, 2)
})

test('a reducer is applied in the render, with the newest reducer', () => {
  let send
  function C() {
    const [step, setStep] = useState(1)
    const [sum, add] = useReducer((total, times) => total + step * times, 0)
    send = (times) => {
      setStep(10)
      add(times)
    }
    return sum
  }
  const root = createRoot(jsx(C, {}))
  send(2)
  root.flush()
  equal(root.markup(), '20')
})

test('state is kept by key and type, lost with another one', () => {
  let count = 0
  const Item = ({ name }) => {
    const [own] = useState(() => (count += 1))
    return jsx('li', { children: `${name}${own}` })
  }
  let show
  function List() {
    const [keys, setKeys] = useState(['a', 'b', 'c'])
    show = setKeys
    return jsx('ul', { children: keys.map((key) => jsx(Item, { name: key }, key)) })
  }
  const root = createRoot(jsx(List, {}))
  equal(root.markup(), '<ul><li>a1</li><li>b2</li><li>c3</li></ul>')
  show(['c', 'a', 'd'])
  root.flush()
  equal(root.markup(), '<ul><li>c3</li><li>a1</li><li>d4</li></ul>')
})

test('setting state while rendering ends with a clear error when it never ends', () => {
  function Loop() {
    const [n, setN] = useState(0)
    setN(n + 1)
    return n
  }
  const root = createRoot(jsx(Loop, {}))
  ok(/Too many re-renders: Loop/.test(root.error.value.message), root.error.value.message)
})

test('an effect that sets state every time is stopped after bounded rounds', () => {
  function Loop() {
    const [n, setN] = useState(0)
    useEffect(() => setN(n + 1))
    return n
  }
  const root = createRoot(jsx(Loop, {}))
  ok(/Too many updates in a row/.test(root.error.value.message))
  equal(root.markup(), '')
})

// ---------------------------------------------------------------- the rules of hooks

test('a hook outside of a render throws and is reported', () => {
  reset()
  throws(() => useState(0), /Invalid hook call: useState/)
  throws(() => useContext(createContext(1)), /useContext/)
  throws(() => use(Promise.resolve()), /use was called/)
  equal(
    seen.problems.map(({ code }) => code),
    ['HP406', 'HP406', 'HP406'],
  )
})

for (const [name, first, second, pattern] of [
  ['more hooks', () => useState(0), () => [useState(0), useRef()], /more hooks than in its last render: hook 3, useRef/],
  ['fewer hooks', () => [useState(0), useRef()], () => useState(0), /fewer hooks/],
  ['another order', () => [useState(0), useRef()], () => [useRef(), useState(0)], /changed the order of its hooks: hook 2 was useState, now it is useRef/],
]) {
  test(`${name} in a later render is an error that names the component`, () => {
    let set
    function Panel() {
      const [later, setLater] = useState(false)
      set = setLater
      if (later) second()
      else first()
      return null
    }
    const root = createRoot(jsx(Panel, {}))
    equal(root.error, undefined)
    set(true)
    root.flush()
    ok(/^Panel/.test(root.error.value.message) && pattern.test(root.error.value.message), root.error.value.message)
  })
}

// ---------------------------------------------------------------- memo, context, stores

test('memo skips equal props, and a changed context gets through', () => {
  let renders = 0
  const Theme = createContext('light')
  const Leaf = memo(() => {
    renders += 1
    return useContext(Theme)
  })
  let set
  function App() {
    const [state, setState] = useState({ theme: 'light', n: 0 })
    set = setState
    return jsx(Theme, { value: state.theme, children: jsx('div', { children: jsx(Leaf, {}) }) })
  }
  const root = createRoot(jsx(App, {}))
  set({ theme: 'light', n: 1 })
  root.flush()
  equal(renders, 1)
  set({ theme: 'dark', n: 1 })
  root.flush()
  equal([renders, root.markup()], [2, '<div>dark</div>'])
})

test('children given as the same element are not rendered again', () => {
  let renders = 0
  const Child = () => {
    renders += 1
    return 'child'
  }
  let set
  function Frame({ children }) {
    const [n, setN] = useState(0)
    set = setN
    return jsxs('p', { children: [n, children] })
  }
  const root = createRoot(jsx(Frame, { children: jsx(Child, {}) }))
  set(5)
  root.flush()
  equal([root.markup(), renders], ['<p>5child</p>', 1])
})

test('useMemo and useId keep what they made', () => {
  let made = 0
  let set
  const ids = new Set()
  function C() {
    const [n, setN] = useState(0)
    set = setN
    ids.add(useId())
    const value = useMemo(() => {
      made += 1
      return n > 1
    }, [n > 1])
    return String(value)
  }
  const root = createRoot(jsx(C, {}))
  set(1)
  root.flush()
  set(2)
  root.flush()
  equal([root.markup(), made, ids.size], ['true', 2, 1])
})

test('useSyncExternalStore follows the store, subscribes once and lets go', () => {
  const listeners = new Set()
  let value = 1
  const store = {
    get: () => value,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const C = () => useSyncExternalStore(store.subscribe, store.get)
  const root = createRoot(jsx(C, {}))
  value = 2
  for (const listener of listeners) listener()
  ok(root.flush(), 'it renders again')
  equal([root.markup(), listeners.size], ['2', 1])
  for (const listener of listeners) listener()
  equal(root.flush(), false, 'the same snapshot')
  root.unmount()
  equal(listeners.size, 0)
})

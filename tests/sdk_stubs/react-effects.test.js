// Effects in React's order, and refs to nodes.

import * as React from '@@react'
import { jsx, jsxs } from '@@jsx-runtime'
import { createRoot } from '@@render'
import { counted } from '@@react-kit'
import { equal, ok, test } from '@@test'

const { createRef, forwardRef, useEffect, useEffectEvent, useImperativeHandle, useInsertionEffect, useLayoutEffect, useState } = React

// ---------------------------------------------------------------- effects

test('effects run in the order of React: children first, insertion, layout, then passive', () => {
  const { note, take } = counted()
  function Part({ name, children, n }) {
    useEffect(() => {
      note(`passive ${name}`)
      return () => note(`passive end ${name}`)
    }, [n])
    useLayoutEffect(() => {
      note(`layout ${name}`)
      return () => note(`layout end ${name}`)
    }, [n])
    useInsertionEffect(() => {
      note(`insert ${name}`)
      return () => note(`insert end ${name}`)
    }, [n])
    return children ?? null
  }
  let set
  function App() {
    const [n, setN] = useState(0)
    set = setN
    return jsx(Part, { name: 'outer', n, children: jsx(Part, { name: 'inner', n }) })
  }
  const root = createRoot(jsx(App, {}))
  equal(take(), ['insert inner', 'insert outer', 'layout inner', 'layout outer', 'passive inner', 'passive outer'])
  set(1)
  root.flush()
  equal(take(), [
    'insert end inner',
    'insert inner',
    'layout end inner',
    'insert end outer',
    'insert outer',
    'layout end outer',
    'layout inner',
    'layout outer',
    'passive end inner',
    'passive end outer',
    'passive inner',
    'passive outer',
  ])
  equal(root.unmount(), [])
  const order = take()
  equal(order.slice(0, 2).sort(), ['insert end outer', 'layout end outer'].sort(), 'parents clean up first')
  equal(order.length, 6)
  ok(order.indexOf('passive end outer') > order.indexOf('layout end inner'), 'passive ones last')
})

test('an effect runs again only when its dependencies change', () => {
  let runs = 0
  let set
  function C() {
    const [state, setState] = useState({ a: 1, b: 1 })
    set = setState
    useEffect(() => {
      runs += 1
    }, [state.a])
    return null
  }
  const root = createRoot(jsx(C, {}))
  set({ a: 1, b: 2 })
  root.flush()
  equal(runs, 1)
  set({ a: 2, b: 2 })
  root.flush()
  equal(runs, 2)
})

test('state set in a layout effect is on the screen before passive effects run', () => {
  const { note, log } = counted()
  function C() {
    const [size, setSize] = useState(0)
    useLayoutEffect(() => setSize(10), [])
    useEffect(() => note(`painted ${size}`))
    return size
  }
  const root = createRoot(jsx(C, {}))
  equal(root.markup(), '10')
  equal(log.at(-1), 'painted 10')
})

test('what clean-ups throw is collected, and the others run', () => {
  const { note, log } = counted()
  function C() {
    useEffect(() => () => note('first'), [])
    useEffect(
      () => () => {
        throw new Error('second')
      },
      [],
    )
    useLayoutEffect(() => () => note('third'), [])
    return null
  }
  const root = createRoot(jsx(C, {}))
  const thrown = root.unmount()
  equal(
    [thrown.map((error) => error.message), log],
    [['second'], ['third', 'first']],
  )
  equal(root.unmount(), [], 'a second time there is nothing to do')
})

test('an effect event reads the newest values and may not run in a render', () => {
  let call
  let set
  const { note, log } = counted()
  function C() {
    const [n, setN] = useState(1)
    set = setN
    const event = useEffectEvent(() => note(n))
    useEffect(() => {
      call = () => event()
    }, [])
    return n
  }
  const root = createRoot(jsx(C, {}))
  set(2)
  root.flush()
  call()
  equal(log, [2])
  function Bad() {
    const event = useEffectEvent(() => 1)
    return event()
  }
  ok(/belongs into effects/.test(createRoot(jsx(Bad, {})).error.value.message))
})

// ---------------------------------------------------------------- refs

test('refs hold real nodes, are taken back, and functions may clean up', () => {
  const { note, take } = counted()
  const object = createRef()
  let show
  function C() {
    const [on, setOn] = useState(true)
    show = setOn
    return on
      ? jsxs('div', {
          ref: object,
          children: [
            jsx('i', { ref: (node) => note(node ? `i ${node.tagName}` : 'i gone') }),
            jsx('b', {
              ref: (node) => {
                note(`b ${node.tagName}`)
                return () => note('b cleaned')
              },
            }),
          ],
        })
      : null
  }
  const root = createRoot(jsx(C, {}))
  equal(take(), ['i I', 'b B'])
  equal(object.current.outerHTML, '<div><i></i><b></b></div>')
  ok(object.current.isConnected, 'the node is in the document')
  show(false)
  root.flush()
  equal(take(), ['i gone', 'b cleaned'])
  equal(object.current, null)
})

test('forwardRef and useImperativeHandle', () => {
  const ref = createRef()
  const Field = forwardRef((props, given) => {
    useImperativeHandle(given, () => ({ focus: () => props.name }), [props.name])
    return jsx('input', {})
  })
  createRoot(jsx(Field, { ref, name: 'x' }))
  equal(ref.current.focus(), 'x')
})

// What happens after the first render: state, effects, boundaries, suspense, events.

import * as React from '@@react'
import { jsx, jsxs } from '@@jsx-runtime'
import { createRoot, renderElement } from '@@render'
import { reset, seen } from '@@host'
import { equal, ok, test, throws } from '@@test'

const {
  Component,
  Fragment,
  PureComponent,
  Suspense,
  createContext,
  createElement,
  createRef,
  forwardRef,
  lazy,
  memo,
  startTransition,
  use,
  useActionState,
  useContext,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useInsertionEffect,
  useLayoutEffect,
  useMemo,
  useOptimistic,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
  useTransition,
} = React

const settle = async () => {
  for (let round = 0; round < 10; round += 1) await null
}

/** The first node of a tree for which `wanted` holds. */
function find(tree, wanted) {
  if (typeof tree !== 'object') return undefined
  if (wanted(tree)) return tree
  for (const child of tree.children) {
    const found = find(child, wanted)
    if (found) return found
  }
  return undefined
}
const button = (root, text) => find(root.tree(), (node) => node.type === 'button' && (text === undefined || node.children.includes(text)))

function counted() {
  const log = []
  return { log, note: (text) => log.push(text), take: () => log.splice(0) }
}

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

// ---------------------------------------------------------------- classes and boundaries

test('a class lives through its methods in order', () => {
  const { note, take } = counted()
  let instance
  class Life extends Component {
    static getDerivedStateFromProps() {
      note('derive')
      return null
    }
    state = { n: 0 }
    componentDidMount() {
      note('mount')
    }
    shouldComponentUpdate(_, state) {
      note(`should ${state.n}`)
      return state.n !== 1
    }
    getSnapshotBeforeUpdate(props, state) {
      return `was ${state.n}`
    }
    componentDidUpdate(props, state, snapshot) {
      note(`update ${snapshot}`)
    }
    componentWillUnmount() {
      note('unmount')
    }
    render() {
      instance = this
      note('render')
      return this.state.n
    }
  }
  const root = createRoot(jsx(Life, {}))
  equal(take(), ['derive', 'render', 'mount'])
  instance.setState({ n: 1 })
  root.flush()
  equal([take(), root.markup()], [['derive', 'should 1'], '0'])
  instance.setState(
    (state) => ({ n: state.n + 1 }),
    () => note('called back'),
  )
  root.flush()
  equal([take(), root.markup()], [['derive', 'should 2', 'render', 'update was 1', 'called back'], '2'])
  root.unmount()
  equal(take(), ['unmount'])
})

test('a pure component renders only for new props or state', () => {
  let renders = 0
  class Pure extends PureComponent {
    render() {
      renders += 1
      return this.props.name
    }
  }
  let set
  function App() {
    const [n, setN] = useState(0)
    set = setN
    return jsx(Pure, { name: n > 1 ? 'b' : 'a' })
  }
  const root = createRoot(jsx(App, {}))
  set(1)
  root.flush()
  set(2)
  root.flush()
  equal([renders, root.markup()], [2, 'b'])
})

class Boundary extends Component {
  state = { error: null }
  static getDerivedStateFromError(error) {
    return { error }
  }
  componentDidCatch(error, info) {
    this.props.caught?.(error, info.componentStack)
  }
  render() {
    return this.state.error ? `caught ${this.state.error.message}` : this.props.children
  }
}

test('the nearest boundary catches what a child throws, with a component stack', () => {
  const { note, log } = counted()
  const Bad = () => {
    throw new Error('boom')
  }
  const root = createRoot(
    jsxs('div', {
      children: [jsx(Boundary, { caught: (error, stack) => note([error.message, /in Bad/.test(stack), /in Boundary/.test(stack)]), children: jsx('p', { children: jsx(Bad, {}) }) }), jsx('i', { children: 'fine' })],
    }),
  )
  equal([root.markup(), root.error, log], ['<div>caught boom<i>fine</i></div>', undefined, [['boom', true, true]]])
})

test('a boundary that throws itself hands on to the one above', () => {
  class Broken extends Component {
    static getDerivedStateFromError() {
      return {}
    }
    render() {
      throw new Error('inner')
    }
  }
  equal(createRoot(jsx(Boundary, { children: jsx(Broken, {}) })).markup(), 'caught inner')
})

test('errors of effects and of later renders reach the boundary too', () => {
  const Effect = () => {
    useEffect(() => {
      throw new Error('effect')
    }, [])
    return 'shown'
  }
  equal(createRoot(jsx(Boundary, { children: jsx(Effect, {}) })).markup(), 'caught effect')
  let set
  const Later = () => {
    const [bad, setBad] = useState(false)
    set = setBad
    if (bad) throw new Error('later')
    return 'fine'
  }
  const root = createRoot(jsx(Boundary, { children: jsx(Later, {}) }))
  equal(root.markup(), 'fine')
  set(true)
  root.flush()
  equal(root.markup(), 'caught later')
})

test('without a boundary the root shows nothing and has the error; mounted effects are cleaned up', () => {
  const { note, log } = counted()
  let set
  function Fine() {
    useEffect(() => () => note('cleaned'), [])
    return 'fine'
  }
  function App() {
    const [bad, setBad] = useState(false)
    set = setBad
    if (bad) throw new TypeError('gone')
    return jsx(Fine, {})
  }
  const root = createRoot(jsx(App, {}))
  set(true)
  root.flush()
  equal([root.markup(), root.error.value.message, log], ['', 'gone', ['cleaned']])
})

test('anything may be thrown', () => {
  for (const value of ['text', 0, null, undefined, Symbol('s'), {}]) {
    const Bad = () => {
      throw value
    }
    const root = createRoot(jsx(Bad, {}))
    ok(root.error !== undefined && Object.is(root.error.value, value))
  }
})

for (const [name, build, pattern] of [
  ['an undefined component', () => jsx(undefined, {}), /Element type is invalid/],
  ['an element as a component', () => jsx(jsx('b', {}), {}), /An element stands where a component belongs/],
  ['an object as a child', () => jsx('b', { children: { a: 1 } }), /an object with keys \{a\} as a child/],
  ['a style that is text', () => jsx('b', { style: 'color: red' }), /style of <b> must be an object/],
  ['children in a void element', () => jsx('br', { children: 'x' }), /takes no children/],
  ['a component that renders itself', () => jsx(function Self() { return jsx(Self, {}) }, {}), /does a component render itself/],
]) {
  test(`${name} is an error that says so`, () => {
    const root = createRoot(build())
    ok(pattern.test(root.error?.value?.message ?? ''), root.error?.value?.message ?? 'no error')
  })
}

test('props that cannot be read end the root, and its effects are cleaned up', () => {
  const { note, log } = counted()
  const trap = { active: true, children: 'x', get title() { if (this.active) throw new Error('no title'); return 'late' } }
  function C() {
    useLayoutEffect(() => () => note('cleaned'), [])
    return jsx('p', trap)
  }
  const root = createRoot(jsxs(Fragment, { children: [jsx(C, {}), jsx('b', {})] }))
  equal([root.error.value.message, root.markup(), root.unmount()], ['no title', '', []])
  trap.active = false
  const late = createRoot(jsx('p', trap))
  trap.active = true
  equal([late.error, late.tree().children[0]?.type ?? late.tree().type], [undefined, '#cut'])
  equal(log, [])
})

test('missing and double keys are said once for a component', () => {
  reset()
  let set
  function List() {
    const [n, setN] = useState(0)
    set = setN
    return jsxs('ul', { children: [['a', 'b'].map((name) => jsx('li', { children: name })), [jsx('li', {}, 'same'), jsx('li', {}, 'same')], n] })
  }
  const root = createRoot(jsx(List, {}))
  set(1)
  root.flush()
  equal(seen.console.length, 2)
  ok(seen.console.every((line) => /List/.test(line)))
})

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

// ---------------------------------------------------------------- events

test('events go from the node upwards, and can be stopped', () => {
  const { note, take } = counted()
  const stop = { on: false }
  const App = () =>
    jsx('div', {
      onClick: (event) => note(`div ${event.target.tagName} ${event.currentTarget.tagName}`),
      onClickCapture: () => note('capture'),
      children: jsx('button', {
        onClick(event) {
          note('button')
          if (stop.on) event.stopPropagation()
        },
        children: 'go',
      }),
    })
  const root = createRoot(jsx(App, {}))
  root.dispatch(button(root).ref, 'click')
  equal(take(), ['capture', 'button', 'div BUTTON DIV'])
  stop.on = true
  root.dispatch(button(root).ref, 'click')
  equal(take(), ['capture', 'button'])
})

test('a disabled button hears nothing', () => {
  const root = createRoot(jsx('button', { disabled: true, onClick: () => ok(false), children: 'no' }))
  equal(root.dispatch(root.tree().ref, 'click'), false)
})

test('typing reaches onChange with the text, and a controlled field shows what its state says', () => {
  function Field() {
    const [text, setText] = useState('')
    const ref = useRef(null)
    return jsxs('p', { children: [jsx('input', { ref, value: text, onChange: (event) => setText(event.target.value.toUpperCase()) }), text] })
  }
  const root = createRoot(jsx(Field, {}))
  const input = () => find(root.tree(), (node) => node.type === 'input')
  ok(root.dispatch(input().ref, 'input', { value: 'abc' }))
  equal([input().props.value, root.markup()], ['ABC', '<p><input value="ABC"/>ABC</p>'])
})

test('a checkbox changes by its click, a select by a change, a form by submit', () => {
  const { note, log } = counted()
  const App = () =>
    jsxs('form', {
      onSubmit(event) {
        event.preventDefault()
        note(`submit ${event.isDefaultPrevented()}`)
      },
      children: [
        jsx('input', { type: 'checkbox', defaultChecked: false, onChange: (event) => note(event.target.checked) }),
        jsx('select', { defaultValue: 'b', onChange: (event) => note(event.target.value), children: ['a', 'b'].map((name) => jsx('option', { children: name }, name)) }),
        jsx('b', { onKeyDown: (event) => note(event.key), onDoubleClick: () => note('double'), onFocus: () => note('focus') }),
      ],
    })
  const root = createRoot(jsx(App, {}))
  const at = (type) => find(root.tree(), (node) => node.type === type).ref
  root.dispatch(at('input'), 'click')
  root.dispatch(at('select'), 'change', { value: 'a' })
  root.dispatch(at('b'), 'keydown', { key: 'Enter' })
  root.dispatch(at('b'), 'dblclick')
  root.dispatch(at('b'), 'focusin')
  root.dispatch(at('form'), 'submit')
  equal(log, [true, 'a', 'Enter', 'double', 'focus', 'submit true'])
})

test('what a handler throws comes out of dispatch, after the flush', () => {
  function C() {
    const [n, setN] = useState(0)
    return jsx('button', {
      onClick() {
        setN(1)
        throw new Error('in the handler')
      },
      children: n,
    })
  }
  const root = createRoot(jsx(C, {}))
  throws(() => root.dispatch(button(root).ref, 'click'), /in the handler/)
  equal([root.markup(), root.error], ['<button>1</button>', undefined])
})

test('native listeners and click() of the nodes work with the handlers', () => {
  const { note, log } = counted()
  function C() {
    const ref = useRef(null)
    useEffect(() => {
      ref.current.addEventListener('click', () => note('native'))
      ref.current.click()
    }, [])
    return jsx('button', { ref, onClick: () => note('react') })
  }
  createRoot(jsx(C, {}))
  equal(log, ['native', 'react'])
})

// ---------------------------------------------------------------- the tree

test('the tree is plain: attribute names of HTML, handlers by name, markup as a length', () => {
  const tree = createRoot(
    jsxs(Fragment, {
      children: [jsx('label', { htmlFor: 'x', className: 'c', tabIndex: 0, style: { marginTop: 2 }, onClick() {}, children: ['a', null, 1] }, 'k'), jsx('p', { dangerouslySetInnerHTML: { __html: '<b>hi</b>' } })],
    }),
  ).tree()
  equal(tree.type, '#root')
  const [label, raw] = tree.children
  equal(
    [label.type, label.key, label.props, label.handlers, label.children],
    ['label', 'k', { for: 'x', class: 'c', tabindex: '0', style: 'margin-top:2px' }, ['onClick'], ['a', '1']],
  )
  equal([raw.children[0].type, raw.children[0].props], ['#html', { length: 9 }])
})

test('a tree is cut where it is too deep, too wide or too long', () => {
  let deep = 'end'
  for (let level = 0; level < 300; level += 1) deep = jsx('i', { children: deep })
  let at = createRoot(deep).tree()
  let levels = 0
  while (at.children.length) {
    at = at.children[0]
    levels += 1
  }
  equal([at.type, levels], ['#cut', 200])
  const wide = createRoot(jsx('div', { children: Array.from({ length: 6000 }, (_, index) => jsx('i', {}, index)) })).tree()
  equal([wide.children.length, wide.children.at(-1).type], [5000, '#cut'])
  const long = createRoot(jsx('p', { children: 'x'.repeat(5000) })).tree()
  equal(long.children[0].length, 2000)
})

test('renderElement takes what a render function may give', () => {
  for (const [value, markup] of [
    ['text', 'text'],
    [null, ''],
    [[jsx('i', {}, 1), 'x'], '<i></i>x'],
    [() => 'called', 'called'],
    [jsx('b', {}), '<b></b>'],
  ]) {
    equal(createRoot(renderElement(value)).markup(), markup)
  }
})

test('unmounting takes the nodes out of the document', () => {
  const ref = createRef()
  const root = createRoot(createElement('div', { ref }))
  const node = ref.current
  ok(node.isConnected)
  root.unmount()
  equal([node.isConnected, ref.current], [false, null])
})

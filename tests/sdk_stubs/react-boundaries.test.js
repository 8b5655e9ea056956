// Classes, and the boundaries that catch what others throw.

import * as React from '@@react'
import { jsx, jsxs } from '@@jsx-runtime'
import { createRoot } from '@@render'
import { reset, seen } from '@@host'
import { Boundary, counted } from '@@react-kit'
import { equal, ok, test, throws } from '@@test'

const { Component, Fragment, PureComponent, useEffect, useLayoutEffect, useState } = React

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

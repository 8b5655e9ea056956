// Events that reach handlers, and the tree that the rehearsal reads.

import * as React from '@@react'
import { jsx, jsxs } from '@@jsx-runtime'
import { createRoot, renderElement } from '@@render'
import { button, counted, find } from '@@react-kit'
import { equal, ok, test, throws } from '@@test'

const { Fragment, createElement, createRef, useEffect, useRef, useState } = React

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

// ---------------------------------------------------------------- forms

function form(children, onSubmit = () => {}) {
  const sent = []
  const submit = (event) => {
    sent.push(event.type)
    onSubmit(event)
  }
  const root = createRoot(jsxs('form', { onSubmit: submit, children }))
  return { root, sent }
}

test('a click on a button that submits, and Enter in a field, submit the form around them', () => {
  const { root, sent } = form([jsx('input', { name: 'item' }), jsx('button', { children: 'Add' }), jsx('input', { type: 'submit' })])
  const [field, button, other] = root.tree().children
  equal([field.handlers, button.handlers, other.handlers], [['onKeyDown'], ['onClick'], ['onClick']])
  ok(root.dispatch(button.ref, 'click'), 'the form took part')
  ok(root.dispatch(other.ref, 'click'))
  ok(root.dispatch(field.ref, 'keydown', { key: 'Enter' }))
  equal(root.dispatch(field.ref, 'keydown', { key: 'a' }), false)
  equal(sent, ['submit', 'submit', 'submit'])
})

test('nothing is submitted by other buttons, by one that is off, or where a handler prevents it', () => {
  const { root, sent } = form([
    jsx('button', { type: 'button', children: 'Plain' }),
    jsx('button', { disabled: true, children: 'Off' }),
    jsx('button', { onClick: (event) => event.preventDefault(), children: 'Held' }),
    jsx('input', { type: 'checkbox', onChange: () => {} }),
    jsx('textarea', { onKeyDown: () => {} }),
  ])
  const children = root.tree().children
  equal(children.slice(0, 2).map(({ handlers }) => handlers), [[], []])
  for (const { ref } of children) {
    root.dispatch(ref, 'click')
    root.dispatch(ref, 'keydown', { key: 'Enter' })
  }
  equal(sent, [])
  equal(createRoot(jsx('button', { children: 'Alone' })).tree().handlers, [])
})

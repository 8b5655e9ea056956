// What React throws at, or leaves out without a word: the plugin's author has to be told.

import * as React from '@@react'
import { jsx, jsxDEV, jsxs } from '@@jsx-runtime'
import { createRoot } from '@@render'
import { reset, seen } from '@@host'
import { equal, ok, test, throws } from '@@test'

const { createElement, forwardRef, useEffect, useLayoutEffect, useState } = React

const drawn = (component) => {
  reset()
  createRoot(jsx(component, {})).flush()
  return seen.problems.map(({ code, message }) => `${code} ${message}`)
}

test('jsx without props throws, as it does in React; createElement takes null for none', () => {
  for (const make of [jsx, jsxs, jsxDEV]) {
    for (const none of [null, undefined]) throws(() => make('b', none), /jsx\('b', …\) got (?:null|undefined) in place of its props/)
  }
  equal(createElement('b', null).props, {})
})

test('children behind the props are told, a key is not', () => {
  const child = jsx('b', { children: 'bold' })
  equal(drawn(() => jsx('p', {}, 'Hello ', child)), [
    "HP406 jsx('p', …) got children behind its props: they are never shown. The third argument is the key.",
  ])
  equal(drawn(() => jsx('p', {}, child)).length, 1)
  equal(drawn(() => jsx('p', {}, [child])).length, 1)
  equal(drawn(() => jsxs('p', { children: [jsx('b', {}, 'k'), jsx('i', {}, 2), jsx('u', {}, null)] })), [])
  equal(drawn(() => jsxDEV('p', {}, 'k', false, { fileName: 'a' }, undefined)), [])
  equal(drawn(() => createElement('p', {}, 'Hello ', child)), [])
})

test('an effect that returns anything but a clean-up is told', () => {
  function Panel({ give }) {
    useEffect(() => give(), [])
    return null
  }
  const effect = (give) => drawn(() => jsx(Panel, { give }))
  equal(effect(async () => {}), ['HP406 useEffect of Panel returned a promise, which is no clean-up: React calls it, and that throws.'])
  equal(effect(() => null), ['HP406 useEffect of Panel returned null, which is no clean-up: React calls it, and that throws.'])
  equal(effect(() => 5).length, 1)
  equal(effect(() => () => {}), [])
  equal(effect(() => undefined), [])
})

test('a layout effect is told by its own name', () => {
  function Other() {
    useLayoutEffect(() => 'x')
    return null
  }
  ok(/^HP406 useLayoutEffect of Other returned string/.test(drawn(Other)[0]))
})

test('an async component is told, an async handler is not', () => {
  async function Panel() {
    return null
  }
  ok(drawn(Panel).includes('HP406 Panel is an async component: React draws such on servers only.'))
  const Named = forwardRef(async function Named() {
    return null
  })
  ok(/^HP406 Named is an async component/.test(drawn(Named)[0]))
  equal(drawn(() => jsx('button', { onClick: async () => {} })), [])
  function Plain() {
    const [value] = useState(() => 1)
    return jsx('p', { children: value })
  }
  equal(drawn(Plain), [])
})

test('a handler that is no function is told, what React leaves alone is not', () => {
  equal(drawn(() => jsx('button', { onClick: 'saved' })), [
    'HP406 onClick of <button> is a string and no function: React throws when the event comes.',
  ])
  equal(drawn(() => jsx('button', { onClick: Promise.resolve() }))[0], 'HP406 onClick of <button> is a promise and no function: React throws when the event comes.')
  equal(drawn(() => jsx('button', { onClick: undefined, onFocus: null, onBlur: false, onKeyDown() {}, once: 'x', on: 1 })), [])
  equal(drawn(() => jsx('my-part', { onReady: 'x' })), [])
})

test('a component in quotes is told, tags of HTML and SVG are not', () => {
  equal(drawn(() => jsx('Panel', {})), ["HP406 jsx('Panel', …) names a tag in capitals: no element of a page has such a name."])
  equal(drawn(() => jsxs('div', { children: [jsx('DIV', {}), jsx('linearGradient', {}), jsx('my-Part', {})] })), [])
})

test('an element in place of a component says so, and a node of the document too', () => {
  const element = jsx('p', {})
  reset()
  ok(/jsx\(\) got <p \/> for a type/.test(createRoot(jsx(element, {})).error.value.message))
  ok(/React cannot show a DOM node/.test(createRoot(jsx('p', { children: { nodeType: 1, nodeName: 'B' } })).error.value.message))
})

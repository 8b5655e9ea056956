// The document: real trees, selectors, events, custom elements, without layout.

import { document } from '@@document'
import { customElements, elementClasses } from '@@html-elements'
import { Event, eventClasses } from '@@events'
import { ResizeObserver } from '@@observers'
import { reset, seen } from '@@host'
import { equal, ok, test, throws } from '@@test'

globalThis.document ??= document
const make = (html) => {
  const box = document.createElement('div')
  box.innerHTML = html
  return box
}

test('nodes are moved, counted and walked; every walk upwards ends', () => {
  const list = document.createElement('ul')
  const [a, b, c] = ['a', 'b', 'c'].map((text) => Object.assign(document.createElement('li'), { textContent: text }))
  list.append(a, b)
  list.prepend(c)
  list.insertBefore(b, a)
  equal([list.textContent, list.children.length, a.previousSibling === b, c.nextElementSibling === b], ['cba', 3, true, true])
  b.remove()
  equal([list.textContent, b.parentNode, list.firstChild === c, list.lastElementChild === a], ['ca', null, true, true])
  let steps = 0
  for (let at = a; at; at = at.parentNode) steps += 1
  equal(steps, 2)
  throws(() => a.appendChild(list), /into itself/)
  throws(() => list.removeChild(b), /no child of this node/)
  list.replaceChildren('text')
  equal(list.outerHTML, '<ul>text</ul>')
})

test('attributes, classes, data and styles are one thing in two spellings', () => {
  const box = document.createElement('div')
  box.className = 'a b'
  box.classList.add('c')
  box.classList.remove('a')
  box.classList.toggle('d', false)
  box.dataset.userName = 'x'
  box.style.marginTop = '2px'
  box.style.setProperty('--gap', '3px')
  box.id = 'me'
  box.hidden = true
  equal(box.outerHTML, '<div class="b c" data-user-name="x" style="margin-top: 2px; --gap: 3px;" id="me" hidden=""></div>')
  equal([box.dataset.userName, 'userName' in box.dataset, Object.keys(box.dataset), box.style['margin-top'], box.style.unknown, box.style.then], ['x', true, ['userName'], '2px', '', undefined])
  box.setAttribute('style', 'color: red; background: url(a;b)')
  equal([box.style.color, box.style.background], ['red', 'url(a;b)'])
  equal([...box.classList], ['b', 'c'])
})

test('markup is parsed forgivingly and written back', () => {
  const html = '<p id="x" data-k="1&amp;2">hi <b>you</b><br>there</p><!--note--><input value="3" disabled=""><svg viewBox="0 0 1 1"><path d="M0 0"></path></svg>'
  equal(make(html).innerHTML, html)
  equal(make('<ul><li>a<li>b</ul>x').querySelectorAll('li').length, 2)
  equal(make('<script>if (a < b) c()</script>').firstChild.textContent, 'if (a < b) c()')
  equal(make('a &lt; b &#65; &nope;').textContent, 'a < b A &nope;')
  equal(make('<<p').textContent.length > 0, true)
})

const PAGE = '<main id="m"><h1 class="big red">T</h1><ul><li>1</li><li class="on">2</li><li data-x="a-b">3</li></ul><input type="checkbox"><p></p></main>'
for (const [selector, count] of [
  ['li', 3],
  ['ul > li', 3],
  ['main li.on', 1],
  ['#m h1.big.red', 1],
  ['li + li', 2],
  ['h1 ~ ul', 1],
  ['li:first-child, li:last-child', 2],
  ['li:nth-child(2)', 1],
  ['li:nth-child(odd)', 2],
  ['li:not(.on)', 2],
  ['[data-x]', 1],
  ['[data-x^="a"]', 1],
  ['[data-x$=b]', 1],
  ['[data-x*="-"]', 1],
  ['[data-x|=a]', 1],
  ['[type=checkbox]', 1],
  ['p:empty', 1],
  [':is(h1, p)', 2],
  ['ul:has(.on)', 1],
  ['li:hover', 0],
  ['*', 8],
]) {
  test(`the selector ${selector} finds ${count}`, () => {
    equal(make(PAGE).querySelectorAll(selector).length, count)
  })
}

test('what is no selector throws, closest and matches look from the element', () => {
  const box = make(PAGE)
  throws(() => box.querySelector('li >'), /not a valid selector/)
  throws(() => box.querySelector('!!'), /not a valid selector/)
  const item = box.querySelector('.on')
  equal([item.closest('main')?.id, item.matches('ul .on'), item.closest('nav')], ['m', true, null])
})

test('events capture, reach their target and bubble; once, removal and default', () => {
  const box = make('<p><b></b></p>')
  const [p, b] = [box.querySelector('p'), box.querySelector('b')]
  const heard = []
  box.addEventListener('x', () => heard.push('box capture'), true)
  p.addEventListener('x', (event) => heard.push(`p ${event.target.localName} ${event.eventPhase}`))
  b.addEventListener('x', () => heard.push('once'), { once: true })
  const off = () => heard.push('off')
  b.addEventListener('x', off)
  b.removeEventListener('x', off)
  b.onx = () => heard.push('handler')
  b.dispatchEvent(new Event('x', { bubbles: true }))
  b.dispatchEvent(new Event('x'))
  equal(heard, ['box capture', 'once', 'handler', 'p b 3', 'box capture', 'handler'])
  b.addEventListener('y', (event) => event.preventDefault())
  equal([b.dispatchEvent(new Event('y')), b.dispatchEvent(new Event('y', { cancelable: true }))], [true, false])
  equal(new eventClasses.KeyboardEvent('keydown', { key: 'a', ctrlKey: true }).ctrlKey, true)
})

test('a listener that throws is reported, and the others still hear', () => {
  reset()
  const target = document.createElement('div')
  let heard = 0
  target.addEventListener('x', () => {
    throw new Error('boom')
  })
  target.addEventListener('x', () => (heard += 1))
  target.dispatchEvent(new Event('x'))
  equal([heard, seen.problems.length], [1, 1])
  ok(/boom/.test(seen.problems[0].message))
})

test('listeners count on what lasts, until they or their node go', () => {
  reset()
  const box = document.createElement('div')
  box.addEventListener('click', () => {})
  equal(seen.alive, [], 'a node that is nowhere goes with its listeners')
  document.body.appendChild(box)
  const end = () => {}
  box.addEventListener('keydown', end)
  document.addEventListener('keydown', end)
  new ResizeObserver(() => {}).observe(box)
  equal(
    seen.alive.map(({ detail }) => detail),
    ["<div> 'keydown'", "document 'keydown'", 'ResizeObserver on <div>'],
  )
  box.remove()
  document.removeEventListener('keydown', end)
  equal(seen.alive, [])
})

test('custom elements are made, connected and told of their attributes', () => {
  const heard = []
  class Box extends elementClasses.HTMLElement {
    static observedAttributes = ['size']
    constructor() {
      super()
      this.attachShadow({ mode: 'open' }).innerHTML = '<slot></slot>'
    }
    connectedCallback() {
      heard.push('in')
    }
    disconnectedCallback() {
      heard.push('out')
    }
    attributeChangedCallback(name, before, after) {
      heard.push([name, before, after])
    }
  }
  throws(() => new Box(), /Illegal constructor/)
  customElements.define('demo-box', Box)
  const box = document.createElement('demo-box')
  box.setAttribute('size', '3')
  document.body.append(box)
  box.remove()
  equal(heard, [['size', null, '3'], 'in', 'out'])
  ok(box instanceof Box && new Box().localName === 'demo-box' && box.shadowRoot.querySelector('slot') !== null)
  throws(() => customElements.define('demo-box', class {}), /defined already/)
})

test('fields hold what was typed, forms what is in them', () => {
  const form = make('<form><input name="a" value="1"><textarea>t</textarea><select><option value="x">X</option><option selected>Y</option></select></form>').firstChild
  const [input, area, select] = form.elements
  input.value = 'typed'
  equal([input.value, input.getAttribute('value'), area.value, select.value, select.selectedIndex], ['typed', '1', 't', 'Y', 1])
  select.value = 'x'
  equal(select.selectedOptions.length, 1)
  form.reset()
  equal(input.value, '1')
})

test('templates, fragments, clones and tree walkers work together', () => {
  const template = document.createElement('template')
  template.innerHTML = '<p>a<!--?--><b>c</b></p>'
  equal([template.childNodes.length, template.innerHTML], [0, '<p>a<!--?--><b>c</b></p>'])
  const copy = document.importNode(template.content, true)
  const walker = document.createTreeWalker(copy, 1 | 128)
  const names = []
  while (walker.nextNode()) names.push(walker.currentNode.nodeName)
  equal(names, ['P', '#comment', 'B'])
  const box = document.createElement('div')
  box.appendChild(copy)
  equal([box.innerHTML, copy.childNodes.length], ['<p>a<!--?--><b>c</b></p>', 0])
  ok(box.cloneNode(true).isEqualNode(box))
})

test('focus moves and tells', () => {
  const [a, b] = [document.createElement('input'), document.createElement('input')]
  document.body.append(a, b)
  const heard = []
  a.addEventListener('blur', () => heard.push('a blur'))
  b.addEventListener('focus', () => heard.push('b focus'))
  a.focus()
  b.focus()
  equal([heard, document.activeElement === b], [['a blur', 'b focus'], true])
  b.blur()
  equal(document.activeElement === document.body, true)
  a.remove()
  b.remove()
})

test('a canvas answers and draws nothing', () => {
  const canvas = document.createElement('canvas')
  canvas.width = 100
  const context = canvas.getContext('2d')
  context.fillStyle = 'red'
  context.fillRect(0, 0, 10, 10)
  equal([canvas.width, canvas.getContext('webgl'), context === canvas.getContext('2d'), context.getImageData(0, 0, 2, 2).data.length], [100, null, true, 16])
  ok(context.measureText('abc').width > 0)
})

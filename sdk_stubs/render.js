// One root for each contribution: renders, commits, runs effects, plays events (see CONTRACT.md).

import { createElement, Fragment, typeName } from '@@elements'
import { connectRenderer } from '@@hooks'
import { Instance, readContext, scheduleUpdate } from '@@instances'
import { commit, reportError, runPassive } from '@@commit'
import { document } from '@@document'
import { showField } from '@@host-nodes'
import { listenFor, play } from '@@synthetic'
import { placeOf, renderRoot, thenableOf } from '@@reconcile'
import { hostChildrenOf, markupOf, treeOf } from '@@tree'

/** After so many rounds of effects that set state, React gives up too. */
const ROUND_LIMIT = 50

connectRenderer({ scheduleUpdate, readContext, reportError })

class Root {
  constructor(element) {
    // `pending`: something asked for a render. The rest is what a pass leaves for the commit.
    Object.assign(this, { pending: true, deletions: [], passive: [], removedEffects: [], serials: 0, listened: new Set() })
    // `asked`: who asked for a render last, for messages.
    Object.assign(this, { error: undefined, failure: undefined, closing: null, asked: null, element })
    this.instance = new Instance('root', 'root', null, 'root', null)
    this.instance.root = this
    this.instance.mounted = true
    this.instance.node = document.createElement('div')
    document.body.appendChild(this.instance.node)
    this.flush()
  }

  /** Renders what asked for it and runs effects until nothing is left; → true when anything was done. */
  flush() {
    if (this.closing !== null) return false
    let rounds = 0
    while ((this.pending || this.passive.length > 0 || this.removedEffects.length > 0) && this.error === undefined) {
      if (rounds >= ROUND_LIMIT) {
        this.fail(new Error(`Too many updates in a row: an effect sets state of ${typeName(this.asked.type)} every time it runs.`))
        break
      }
      rounds += 1
      if (this.pending) this.pass()
      if (this.error === undefined) runPassive(this)
      if (this.failure !== undefined) this.fail(this.failure.value)
    }
    return rounds > 0
  }

  pass() {
    this.pending = false
    try {
      renderRoot(this, this.element)
    } catch (thrown) {
      const thenable = thenableOf(thrown)
      if (thenable === null) {
        this.fail(thrown)
        return
      }
      // No Suspense above: nothing new is shown until the promise is there.
      const retry = () => {
        this.instance.incomplete = true
        this.pending = true
      }
      thenable.then(retry, retry)
      return
    }
    try {
      commit(this)
      for (const instance of handlersIn(this.instance)) Object.keys(instance.props).filter(isHandler).forEach((name) => listenFor(this, name))
    } catch (thrown) {
      // Props are the plugin's own objects: reading one may throw.
      this.fail(thrown)
    }
  }

  /** Nothing caught it: the whole tree goes, as in the app. */
  fail(value) {
    this.error = { value, componentStack: placeOf(value) }
    this.failure = undefined
    this.empty()
  }

  /** Takes everything off, with its clean-ups. */
  empty() {
    this.deletions.push(...this.instance.children)
    this.instance.children = []
    commit(this)
    runPassive(this)
  }

  tree() {
    return treeOf(this)
  }

  /** As renderToStaticMarkup would give it. */
  markup() {
    return markupOf(this.instance)
  }

  dispatch(ref, type, init) {
    const instance = find(this.instance, (at) => at.serial === ref)
    if (instance === null) return false
    try {
      return play(this, instance, type, init)
    } finally {
      this.flush()
      if (instance.node !== null && !instance.gone) showField(instance.node, instance.type, instance.props)
    }
  }

  unmount() {
    if (this.closing !== null) return []
    this.closing = []
    this.empty()
    this.instance.node.remove()
    return this.closing
  }
}

const isHandler = (name) => /^on[A-Z]/.test(name)

function handlersIn(instance, found = []) {
  if (instance.kind === 'host') found.push(instance)
  for (const child of instance.children) handlersIn(child, found)
  return found
}

function find(instance, wanted) {
  for (const child of hostChildrenOf(instance)) {
    if (wanted(child)) return child
    const inside = find(child, wanted)
    if (inside !== null) return inside
  }
  return null
}

export const createRoot = (element) => new Root(element)

/** An element for whatever a `render` gave: a component to render, or something that can be shown. */
export function renderElement(value) {
  if (typeof value === 'function') return createElement(value)
  return createElement(Fragment, null, value)
}

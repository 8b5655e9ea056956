// The commit phase: what a finished render does to the document and to effects, in React's order.
//
//   snapshots · clean-ups of what was removed · for each instance, children first: insertion effects, layout clean-ups,
//   the document · then, children first again: layout effects, didMount/didUpdate, refs · later: passive effects

import { problem } from '@@host'
import { describe, typeName } from '@@elements'
import { attachRef } from '@@hooks'
import { boundaryAbove } from '@@classes'
import { scheduleUpdate } from '@@instances'
import { hostNodesOf, placeChildren, removeNodes, updateNode } from '@@host-nodes'

/** Makes the last render real. Passive effects are left in `root.passive` for `runPassive`. */
export function commit(root) {
  walk(root.instance, (instance) => {
    if (instance.updated !== undefined && instance.public?.getSnapshotBeforeUpdate) {
      const { props, state } = instance.updated
      guard(instance, () => {
        instance.snapshot = instance.public.getSnapshotBeforeUpdate(props, state)
      })
    }
  })
  for (const instance of root.deletions.splice(0)) unmountTree(instance)
  walk(root.instance, mutate)
  walk(root.instance, finish)
}

/** Children first; a suspended or hidden part is walked too, it keeps its effects. */
function walk(instance, visit) {
  for (const child of instance.children) walk(child, visit)
  visit(instance)
}

function guard(instance, work) {
  try {
    work()
  } catch (thrown) {
    reportError(instance, thrown)
  }
}

/** An error outside of a render goes to the boundary above, else it ends the root. */
export function reportError(instance, thrown) {
  const closing = instance?.root.closing ?? null
  if (closing !== null) {
    closing.push(thrown)
    return
  }
  const boundary = instance === null ? null : boundaryAbove(instance)
  if (boundary !== null) {
    boundary.caught ??= { value: thrown }
    scheduleUpdate(boundary)
  } else if (instance !== null) {
    instance.root.failure ??= { value: thrown }
    instance.root.pending = true
  } else {
    console.error(thrown)
  }
}

// ---------------------------------------------------------------- effects

function dueEffects(instance, phase) {
  return (instance.hooks ?? []).filter((hook) => hook.due && hook.phase === phase)
}

function cleanUp(instance, hook) {
  const { cleanup } = hook.box
  hook.box.cleanup = undefined
  if (typeof cleanup === 'function') guard(instance, cleanup)
}

function start(instance, hook) {
  hook.due = false
  guard(instance, () => {
    const cleanup = hook.create()
    hook.box.cleanup = cleanup
    if (cleanup === undefined || typeof cleanup === 'function') return
    // React calls whatever an effect returned, at the next run of the effect or at the end.
    problem('HP406', `${hook.kind} of ${typeName(instance.type)} returned ${describe(cleanup)}, which is no clean-up: React calls it, and that throws.`)
  })
}

function mutate(instance) {
  if (instance.hooksDue) {
    for (const hook of instance.hooks) hook.before?.()
    for (const hook of dueEffects(instance, 'insertion')) {
      cleanUp(instance, hook)
      start(instance, hook)
    }
    for (const hook of dueEffects(instance, 'layout')) cleanUp(instance, hook)
  }
  if (instance.kind === 'host' || instance.kind === 'text') updateNode(instance)
  if (instance.kind === 'host' || instance.kind === 'root') placeChildren(instance)
  const ref = refOf(instance)
  if (instance.detachRef !== undefined && ref !== instance.ref) {
    guard(instance, instance.detachRef)
    instance.detachRef = undefined
  }
}

// Function components get their ref as a prop; only hosts and classes have something of their own to give.
const refOf = (instance) => (instance.kind === 'host' || instance.kind === 'class' ? instance.props.ref : undefined)

function finish(instance) {
  if (instance.hooksDue) {
    instance.hooksDue = false
    for (const hook of dueEffects(instance, 'layout')) start(instance, hook)
    for (const hook of instance.hooks) guard(instance, () => hook.check?.())
    if (dueEffects(instance, 'passive').length > 0) instance.root.passive.push(instance)
  }
  if (instance.kind === 'class') finishClass(instance)
  const ref = refOf(instance)
  if (ref !== instance.ref || !instance.mounted) {
    instance.ref = ref
    if (ref !== null && ref !== undefined) {
      guard(instance, () => {
        instance.detachRef = attachRef(ref, instance.public ?? instance.node)
      })
    }
  }
  instance.mounted = true
}

function finishClass(instance) {
  const { public: component, updated } = instance
  if (!instance.mounted) guard(instance, () => component.componentDidMount?.())
  else if (updated !== undefined) {
    guard(instance, () => component.componentDidUpdate?.(updated.props, updated.state, instance.snapshot))
  }
  instance.updated = undefined
  instance.snapshot = undefined
  for (const callback of instance.callbacks.splice(0)) guard(instance, () => callback.call(component))
}

/** All clean-ups first, then all effects, as React does. True when there was something to run. */
export function runPassive(root) {
  const removed = root.removedEffects.splice(0)
  const instances = root.passive.splice(0).filter((instance) => !instance.gone)
  for (const [instance, hook] of removed) cleanUp(instance, hook)
  const due = instances.map((instance) => [instance, dueEffects(instance, 'passive')])
  for (const [instance, hooks] of due) hooks.forEach((hook) => cleanUp(instance, hook))
  for (const [instance, hooks] of due) hooks.forEach((hook) => start(instance, hook))
  return removed.length + instances.length > 0
}

// ---------------------------------------------------------------- removal

/** Takes a removed subtree off the document; parents' clean-ups run before their children's. */
function unmountTree(instance) {
  if (instance.gone) return
  removeNodes(hostNodesOf(instance))
  unmount(instance)
}

function unmount(instance) {
  if (instance.gone) return
  instance.gone = true
  const parts = [instance.primary, instance.fallback].filter((part) => part && !instance.children.includes(part))
  if (instance.mounted) {
    if (instance.detachRef !== undefined) guard(instance, instance.detachRef)
    for (const hook of instance.hooks ?? []) {
      if (hook.box === undefined || hook.phase === undefined) continue
      if (hook.phase === 'passive') instance.root.removedEffects.push([instance, hook])
      else cleanUp(instance, hook)
    }
    if (instance.public) guard(instance, () => instance.public.componentWillUnmount?.())
  }
  for (const child of [...instance.children, ...parts]) unmount(child)
}

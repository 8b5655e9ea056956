// What tests of React's stub share.

import { Component } from '@@react'

export const settle = async () => {
  for (let round = 0; round < 10; round += 1) await null
}

/** The first node of a tree for which `wanted` holds. */
export function find(tree, wanted) {
  if (typeof tree !== 'object') return undefined
  if (wanted(tree)) return tree
  for (const child of tree.children) {
    const found = find(child, wanted)
    if (found) return found
  }
  return undefined
}
export const button = (root, text) => find(root.tree(), (node) => node.type === 'button' && (text === undefined || node.children.includes(text)))

export function counted() {
  const log = []
  return { log, note: (text) => log.push(text), take: () => log.splice(0) }
}

/** Catches what its children throw, shows the message, and hands the error to `caught`. */
export class Boundary extends Component {
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

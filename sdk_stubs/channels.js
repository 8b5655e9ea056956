// Messages between parts of a page: real between the two ends here, silent towards anybody else.

import { clock, never, track } from '@@host'
import { EventTarget, dispatch, eventClasses } from '@@events'
import { structuredClone } from '@@clone'

const deliver = (target, data, origin = '') => clock.schedule(() => dispatch(target, new eventClasses.MessageEvent('message', { data, origin })), 0, { untracked: true })

export class MessagePort extends EventTarget {
  other = null
  onmessage = null

  postMessage(data) {
    if (this.other) deliver(this.other, structuredClone(data))
  }

  start() {}

  close() {
    this.other = null
  }
}

export class MessageChannel {
  port1 = new MessagePort()
  port2 = new MessagePort()

  constructor() {
    this.port1.other = this.port2
    this.port2.other = this.port1
  }
}

const channels = new Set()

export class BroadcastChannel extends EventTarget {
  onmessage = null
  #release

  constructor(name) {
    super()
    this.name = '' + name
    channels.add(this)
    this.#release = track('socket', `BroadcastChannel '${this.name}'`)
  }

  postMessage(data) {
    for (const other of channels) if (other !== this && other.name === this.name) deliver(other, structuredClone(data))
  }

  close() {
    channels.delete(this)
    this.#release()
  }
}

/** A worker that never starts: its file is not there. */
export class Worker extends EventTarget {
  onmessage = null
  onerror = null
  #release

  constructor(url) {
    super()
    this.#release = track('socket', `Worker ${('' + url).slice(0, 80)}`)
    never('Worker')
  }

  postMessage() {}

  terminate() {
    this.#release()
  }
}
export class SharedWorker extends Worker {
  port = new MessagePort()
}

export function postMessage(data, origin) {
  deliver(globalThis, structuredClone(data), typeof origin === 'string' && origin !== '*' ? origin : (globalThis.location?.origin ?? ''))
}

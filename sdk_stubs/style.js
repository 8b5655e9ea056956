// An element's inline style: what `element.style` reads and writes.

const hyphenate = (name) => (name.startsWith('--') ? name : name.replace(/^(webkit|moz|ms)(?=[A-Z])/, '-$1').replace(/[A-Z]/g, (letter) => '-' + letter.toLowerCase()))

export class StyleText {
  constructor(element) {
    this.element = element
    this.values = new Map()
    this.face = faceOf(this)
  }

  /** Takes over the text of a `style` attribute. */
  read(text) {
    this.values.clear()
    for (const part of text.split(/;(?![^(]*\))/)) {
      const colon = part.indexOf(':')
      if (colon > 0) this.values.set(part.slice(0, colon).trim(), part.slice(colon + 1).trim())
    }
  }

  write(name, value) {
    const text = value === null || value === undefined ? '' : '' + value
    if (text === '') this.values.delete(name)
    else this.values.set(name, text)
    this.element?.attributeMap.set('style', this.text())
  }

  text() {
    return [...this.values].map(([name, value]) => `${name}: ${value};`).join(' ')
  }
}

/** Any property may be read (unset ones are '') and written, in either spelling. */
function faceOf(holder) {
  const methods = {
    setProperty: (name, value) => holder.write('' + name, value),
    removeProperty(name) {
      const before = holder.values.get('' + name) ?? ''
      holder.write('' + name, '')
      return before
    },
    getPropertyValue: (name) => holder.values.get('' + name) ?? '',
    getPropertyPriority: () => '',
    item: (index) => [...holder.values.keys()][index] ?? '',
  }
  return new Proxy(methods, {
    get(target, name) {
      if (typeof name === 'symbol' || name === 'then' || name === 'toJSON') return undefined
      if (name in target) return target[name]
      if (name === 'cssText') return holder.text()
      if (name === 'length') return holder.values.size
      return holder.values.get(hyphenate(name)) ?? ''
    },
    set(_, name, value) {
      if (name === 'cssText') {
        holder.read('' + value)
        holder.element?.attributeMap.set('style', holder.text())
      } else if (typeof name === 'string') {
        holder.write(hyphenate(name), value)
      }
      return true
    },
    has: (target, name) => typeof name === 'string' && name !== 'then',
  })
}

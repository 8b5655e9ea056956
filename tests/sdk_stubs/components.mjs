// Small components that cover React's hooks and markup rules. Each is built against the React it is given, so that the
// same text runs with the real one and with the stub.

export const components = {
  'text children are joined': ({ jsx }) => jsx('p', { children: ['a', 1, null, false, true, undefined, ' ', 0, 'b'] }),
  'what must be escaped': ({ jsx }) => jsx('p', { title: `"<&>'`, children: `<b> & "quotes" 'single' </b>` }),
  'boolean, numeric and enumerated attributes': ({ jsxs, jsx }) =>
    jsxs('div', {
      hidden: true,
      contentEditable: false,
      spellCheck: true,
      draggable: 'true',
      inert: false,
      tabIndex: -1,
      children: [
        jsx('input', { disabled: true, required: false, readOnly: true, size: 3, maxLength: 5, autoFocus: true, autoComplete: 'off' }, 1),
        jsx('textarea', { cols: 0, rows: 2, defaultValue: 'a <b>' }, 2),
        jsx('td', { rowSpan: 2, colSpan: 3 }, 3),
        jsx('a', { download: true, href: '' }, 4),
        jsx('a', { download: 'x.txt', href: '/x' }, 5),
        jsx('ol', { start: 0, reversed: true }, 6),
        jsx('button', { disabled: false, name: 'n', value: 'v', type: 'button', children: 'go' }, 7),
      ],
    }),
  'renamed attributes': ({ jsxs, jsx }) =>
    jsxs('form', {
      className: 'a b',
      acceptCharset: 'utf-8',
      noValidate: true,
      children: [jsx('label', { htmlFor: 'x', children: 'X' }, 1), jsx('meter', { id: 'x', value: 0.5 }, 2), jsx('video', { muted: true, autoPlay: true, playsInline: true, crossOrigin: 'anonymous' }, 3)],
    }),
  'data and aria': ({ jsx }) => jsx('div', { 'aria-hidden': true, 'aria-label': 'x', 'data-on': false, 'data-n': 0, 'data-none': null, role: 'img', unknown: true, other: 'kept', fn: () => 1 }),
  styles: ({ jsx }) =>
    jsx('div', {
      style: { marginTop: 4, lineHeight: 1.5, '--gap': 3, WebkitLineClamp: 2, msTransform: 'none', color: null, padding: '', zIndex: 0, margin: 0, flex: 1, width: ' 10% ', display: false, backgroundImage: 'url("a")', fontWeight: 600, animationIterationCount: 2 },
    }),
  'empty style and class': ({ jsx }) => jsx('i', { style: {}, className: '' }),
  'void elements': ({ jsxs, jsx }) => jsxs('div', { children: [jsx('br', {}, 1), jsx('hr', { className: 'x' }, 2), jsx('input', { type: 'checkbox', defaultChecked: true, value: 'a', onChange() {} }, 3)] }),
  'input order': ({ jsx }) => jsx('input', { name: 'n', value: 'v', checked: true, type: 'radio', className: 'c', onChange() {} }),
  svg: ({ jsxs, jsx }) =>
    jsxs('svg', {
      viewBox: '0 0 10 10',
      xmlns: 'http://www.w3.org/2000/svg',
      strokeWidth: 2,
      fill: 'none',
      preserveAspectRatio: 'xMidYMid',
      focusable: false,
      children: [jsx('path', { d: 'M0 0', strokeLinecap: 'round', fillRule: 'evenodd', clipPath: 'url(#a)', strokeDasharray: '1 2' }, 1), jsx('use', { xlinkHref: '#b' }, 2), jsx('text', { textAnchor: 'middle', dominantBaseline: 'central', fontSize: 3, children: 'x' }, 3), jsx('linearGradient', { gradientUnits: 'userSpaceOnUse', children: jsx('stop', { stopColor: 'red', stopOpacity: 0.5, offset: '0%' }) }, 4)],
    }),
  'inner html': ({ jsx }) => jsx('div', { dangerouslySetInnerHTML: { __html: '<b>x</b> & y' } }),
  'custom element': ({ jsx }) => jsx('my-box', { className: 'a', open: true, closed: false, count: 3, 'data-x': 'y', style: { top: 1 }, children: 'in' }),
  'select and options': ({ jsxs, jsx }) =>
    jsxs('select', {
      value: 'b',
      onChange() {},
      children: [jsx('option', { value: 'a', children: 'A' }, 1), jsx('option', { value: 'b', children: 'B' }, 2), jsx('optgroup', { label: 'g', children: jsx('option', { children: 'c' }) }, 3)],
    }),
  'select several': ({ jsx }) => jsx('select', { multiple: true, defaultValue: ['1', '3'], children: ['1', '2', '3'].map((n) => jsx('option', { value: n, children: n }, n)) }),
  'pre and its first line end': ({ jsxs, jsx }) => jsxs('div', { children: [jsx('pre', { children: '\nx' }, 1), jsx('textarea', { value: '\ny', onChange() {} }, 2)] }),
  'fragments, lists, nesting': ({ React, jsx, jsxs }) =>
    jsxs(React.Fragment, { children: [jsx('i', {}, 'a'), [jsx('b', {}, 1), [jsx('u', {}, 2), 'x']], new Set(['y', 'z'])] }),
  'children helpers': ({ React, jsx }) => {
    const kids = [jsx('a', {}, 'k'), null, 'text', [jsx('b', {}), 3], false]
    const mapped = React.Children.map(kids, (child, index) => (child === null ? `(${index})` : child))
    return jsx('div', {
      'data-count': React.Children.count(kids),
      'data-keys': React.Children.toArray(kids)
        .map((child) => child.key ?? '-')
        .join(' '),
      'data-mapped': mapped.map((child) => child?.key ?? String(child)).join(' '),
      children: React.cloneElement(jsx('em', { className: 'x', title: 'y' }, 'q'), { title: 'z', id: 'i' }, 'inner'),
    })
  },
  'createElement and defaults': ({ React }) => {
    class Hello extends React.Component {
      render() {
        return React.createElement('p', null, this.props.greeting, ' ', this.props.name, ...[1, 2])
      }
    }
    Hello.defaultProps = { greeting: 'Hello' }
    return React.createElement(Hello, { key: 'k', name: 'you' })
  },
  useState: ({ React, jsx }) => {
    const C = () => {
      const [n] = React.useState(() => 41)
      const [m, setM] = React.useState(0)
      if (m < 3) setM(m + 1)
      return jsx('b', { children: [n + 1, '/', m] })
    }
    return jsx(C, {})
  },
  useReducer: ({ React, jsx }) => {
    const C = () => {
      const [state, send] = React.useReducer((s, a) => ({ n: s.n + a }), 5, (n) => ({ n }))
      if (state.n < 7) send(1)
      return jsx('b', { children: state.n })
    }
    return jsx(C, {})
  },
  'useMemo, useCallback, useRef': ({ React, jsx }) => {
    const C = ({ list }) => {
      const sum = React.useMemo(() => list.reduce((a, b) => a + b, 0), [list])
      const twice = React.useCallback((n) => n * 2, [])
      const ref = React.useRef('kept')
      React.useDebugValue(sum)
      return jsx('b', { title: ref.current, children: twice(sum) })
    }
    return jsx(C, { list: [1, 2, 3] })
  },
  'effects do not change the first markup': ({ React, jsx }) => {
    const C = () => {
      React.useEffect(() => () => {})
      React.useLayoutEffect(() => {})
      React.useInsertionEffect(() => {})
      React.useImperativeHandle(React.useRef(null), () => ({}), [])
      const event = React.useEffectEvent(() => {})
      return jsx('b', { children: typeof event })
    }
    return jsx(C, {})
  },
  useContext: ({ React, jsx, jsxs }) => {
    const Theme = React.createContext('none')
    const Show = () => jsx('b', { children: React.useContext(Theme) })
    const Used = ({ on }) => (on ? jsx('u', { children: React.use(Theme) }) : null)
    return jsxs('div', {
      children: [
        jsx(Show, {}, 0),
        jsx(Theme, { value: 'dark', children: [jsx(Show, {}, 1), jsx(Theme.Provider, { value: 'light', children: jsx(Show, {}) }, 2), jsx(Used, { on: true }, 3), jsx(Used, { on: false }, 4)] }, 1),
        jsx(Theme.Consumer, { children: (value) => jsx('i', { children: value }) }, 2),
      ],
    })
  },
  useId: ({ React, jsxs, jsx }) => {
    const Field = ({ label }) => {
      const id = React.useId()
      return jsxs(React.Fragment, { children: [jsx('label', { htmlFor: id, children: label }, 1), jsx('meter', { id }, 2)] })
    }
    return jsxs('div', { children: [jsx(Field, { label: 'a' }, 1), jsx(Field, { label: 'b' }, 2)] })
  },
  useSyncExternalStore: ({ React, jsx }) => {
    const store = { subscribe: () => () => {}, get: () => 'now' }
    const C = () => jsx('b', { children: React.useSyncExternalStore(store.subscribe, store.get, store.get) })
    return jsx(C, {})
  },
  'useTransition, useDeferredValue, useOptimistic': ({ React, jsx }) => {
    const C = () => {
      const [pending] = React.useTransition()
      const late = React.useDeferredValue('v')
      const [seen] = React.useOptimistic('base', (a, b) => a + b)
      return jsx('b', { 'data-pending': pending, children: [late, seen] })
    }
    return jsx(C, {})
  },
  useActionState: ({ React, jsx }) => {
    const C = () => {
      const [state, , pending] = React.useActionState((s) => s, 'start')
      return jsx('b', { children: [state, String(pending)] })
    }
    return jsx(C, {})
  },
  'memo and forwardRef': ({ React, jsx }) => {
    const Inner = React.forwardRef(({ text, ...rest }, ref) => jsx('b', { ...rest, title: String(ref), children: text }))
    const Kept = React.memo(({ text }) => jsx('i', { children: text }))
    return jsx('div', { children: [jsx(Inner, { text: 'x', id: 'q' }, 1), jsx(Kept, { text: 'y' }, 2)] })
  },
  'ref is a prop': ({ React, jsx }) => {
    const C = ({ ref }) => jsx('b', { children: typeof ref })
    return jsx(C, { ref: React.createRef() })
  },
  'class with state and context': ({ React, jsx }) => {
    const Name = React.createContext('nobody')
    class C extends React.Component {
      static contextType = Name
      static getDerivedStateFromProps(props, state) {
        return { twice: props.n * 2, ...state }
      }
      state = { own: 1 }
      render() {
        return jsx('b', { children: [this.state.own, this.state.twice, this.context] })
      }
    }
    return jsx(Name, { value: 'me', children: jsx(C, { n: 4 }) })
  },
  'lazy, StrictMode, Profiler, Suspense': ({ React, jsx }) => {
    return jsx(React.StrictMode, {
      children: jsx(React.Profiler, { id: 'p', onRender() {}, children: jsx(React.Suspense, { fallback: 'wait', children: jsx('b', { children: 'there' }) }) }),
    })
  },
  'components that give arrays, text and nothing': ({ jsx }) => {
    const Many = () => [jsx('i', {}, 1), 'x', null]
    const Text = () => 'text'
    const None = () => null
    const Falsy = () => undefined
    return jsx('div', { children: [jsx(Many, {}, 1), jsx(Text, {}, 2), jsx(None, {}, 3), jsx(Falsy, {}, 4)] })
  },
  'bigint and numbers': ({ jsx }) => jsx('p', { children: [10n, -0, NaN, 1.5] }),
}

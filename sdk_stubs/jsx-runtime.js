// The automatic JSX runtime: `react/jsx-runtime`, and `jsxDEV` for files that a bundler left in development mode.

import { Fragment, jsx, jsxs } from '@@elements'

const jsxDEV = (type, props, key, isStatic) => (isStatic ? jsxs(type, props, key) : jsx(type, props, key))

export { Fragment, jsx, jsxDEV, jsxs }
export default { Fragment, jsx, jsxDEV, jsxs }

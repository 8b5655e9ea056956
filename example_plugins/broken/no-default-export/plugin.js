// The app reads the default export. A named one it never sees.
export const plugin = {
  id: 'no-default-export',
  register() {},
}

// One guide shows this form. The app of today calls register() and knows nothing of it.
export default {
  id: 'declarative-buttons',
  name: 'Browser toggle',
  titlebarButtons: [{ id: 'toggle', label: 'Toggle browser', icon: 'globe', action: 'view.showBrowser' }],
}

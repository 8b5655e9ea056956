// What acorn takes for the imports of a module, as [start, end, specifier, kind] in their order; throws what acorn throws.

export function importsOf(acorn, code) {
  const found = []
  const waiting = [acorn.parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true })]
  while (waiting.length) {
    const node = waiting.pop()
    if (Array.isArray(node)) {
      waiting.push(...node)
      continue
    }
    if (!node || typeof node !== 'object') continue
    const { source } = node
    if (node.type === 'ImportExpression') {
      let name = source.type === 'Literal' ? source.value : null
      if (source.type === 'TemplateLiteral' && !source.expressions.length) name = source.quasis[0].value.cooked
      found.push([source.start, source.end, name, 'dynamic'])
    } else if (source && typeof node.type === 'string' && /^(Import|Export)/.test(node.type)) {
      found.push([source.start, source.end, source.value, node.type === 'ImportDeclaration' ? 'static' : 'reexport'])
    }
    for (const key in node) if (node[key] && typeof node[key] === 'object') waiting.push(node[key])
  }
  return found.sort((a, b) => a[0] - b[0])
}

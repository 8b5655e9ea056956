// A relic of HTML: modules do not know it as a comment.
<!-- the button
export default {
  id: 'html-comment',
  register() {},
}

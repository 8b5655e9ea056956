// A clean-up that throws. The others still run.
export default {
  id: 'throwing-cleanup',
  register(ctx) {
    ctx.onDispose(() => {
      throw new Error('the connection was closed before')
    })
  },
}

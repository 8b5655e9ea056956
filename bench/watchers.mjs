// Bare watchers: node watchers.mjs chokidar|parcel FOLDER. A line for each event with the time, in nanoseconds of the
// monotonic clock that Python's time.monotonic_ns() reads too.
const [tool, folder] = process.argv.slice(2)
const say = () => process.stdout.write(process.hrtime.bigint() + '\n')
if (tool === 'chokidar') {
  const { watch } = await import('chokidar')
  const watcher = watch(folder, { ignoreInitial: true })
  watcher.on('all', say)
  await new Promise(resolve => watcher.on('ready', resolve))
} else {
  const { default: parcel } = await import('@parcel/watcher')
  await parcel.subscribe(folder, say)
}
process.stdout.write('ready\n')
process.stdin.on('end', () => process.exit(0)).resume()

// A 2d context that draws nothing and answers like one that does.

const QUIET = `arc arcTo beginPath bezierCurveTo clearRect clip closePath drawImage ellipse fill fillRect fillText lineTo moveTo
  putImageData quadraticCurveTo rect reset resetTransform restore rotate roundRect save scale setLineDash setTransform stroke
  strokeRect strokeText transform translate drawFocusIfNeeded`.split(/\s+/)

const STYLES = {
  fillStyle: '#000000',
  strokeStyle: '#000000',
  font: '10px sans-serif',
  globalAlpha: 1,
  globalCompositeOperation: 'source-over',
  lineCap: 'butt',
  lineDashOffset: 0,
  lineJoin: 'miter',
  lineWidth: 1,
  miterLimit: 10,
  shadowBlur: 0,
  shadowColor: 'rgba(0, 0, 0, 0)',
  shadowOffsetX: 0,
  shadowOffsetY: 0,
  textAlign: 'start',
  textBaseline: 'alphabetic',
  imageSmoothingEnabled: true,
  filter: 'none',
  direction: 'ltr',
}

const PIXEL_LIMIT = 1_000_000

function imageData(width, height) {
  const pixels = Math.min(PIXEL_LIMIT, Math.max(1, Math.abs(Math.trunc(width) * Math.trunc(height))))
  return { width, height, data: new Uint8ClampedArray(pixels * 4), colorSpace: 'srgb' }
}

export function canvasContext(canvas) {
  const context = { canvas, ...STYLES }
  for (const name of QUIET) context[name] = () => {}
  const gradient = () => ({ addColorStop() {} })
  return Object.assign(context, {
    createLinearGradient: gradient,
    createRadialGradient: gradient,
    createConicGradient: gradient,
    createPattern: () => ({ setTransform() {} }),
    createImageData: (width, height) => (typeof width === 'object' ? imageData(width.width, width.height) : imageData(width, height)),
    getImageData: (x, y, width, height) => imageData(width, height),
    getLineDash: () => [],
    getTransform: () => ({ a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 }),
    getContextAttributes: () => ({ alpha: true, desynchronized: false }),
    isPointInPath: () => false,
    isPointInStroke: () => false,
    isContextLost: () => false,
    // About what a proportional font of the set size takes.
    measureText(text) {
      const size = Number(/(\d+(?:\.\d+)?)px/.exec(context.font)?.[1] ?? 10)
      const width = ('' + text).length * size * 0.55
      return { width, actualBoundingBoxAscent: size * 0.75, actualBoundingBoxDescent: size * 0.25, actualBoundingBoxLeft: 0, actualBoundingBoxRight: width, fontBoundingBoxAscent: size * 0.9, fontBoundingBoxDescent: size * 0.25 }
    },
  })
}

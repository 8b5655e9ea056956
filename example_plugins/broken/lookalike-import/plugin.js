// The second letter of this name is Cyrillic. It reads right and is another module.
import { useState } from 'rеact'

export default {
  id: 'lookalike-import',
  register() {
    return typeof useState
  },
}

// @@host: what the stubs and the driver lean on. Evaluated first, in a realm that no plugin has touched.
//
// A plugin may later replace any global, patch any prototype and hand over any object. So everything needed is captured
// here, lists are Maps walked by captured methods or records without prototype, nothing plugin-made is read outside
// try/catch, and all text that leaves is built by hand from primitives. See sdk_stubs/CONTRACT.md for what each export means.

const channel = globalThis.__rehearsal_host__ ?? (() => {});
delete globalThis.__rehearsal_host__;

const { apply, construct, defineProperty, getPrototypeOf, ownKeys } = Reflect;
const stringify = JSON.stringify;
const isArray = Array.isArray;
const isFinite = Number.isFinite;
const { floor } = Math;
const RealDate = Date;
const RealError = Error;
const RealMap = Map;
const uncurried = (method) => (self, ...args) => apply(method, self, args);
const sliceText = uncurried(String.prototype.slice);
const describeSymbol = uncurried(Symbol.prototype.toString);
const mapGet = uncurried(Map.prototype.get);
const mapSet = uncurried(Map.prototype.set);
const mapHas = uncurried(Map.prototype.has);
const mapDelete = uncurried(Map.prototype.delete);
const mapEach = uncurried(Map.prototype.forEach);
const mapSize = uncurried(Object.getOwnPropertyDescriptor(Map.prototype, 'size').get);
const promiseThen = uncurried(Promise.prototype.then);
const RealPromise = Promise;

// ---------------------------------------------------------------- safe reading

const LONGEST_TEXT = 2000;
const DEEPEST = 6;
const WIDEST = 100;
const MOST_NODES = 2000;

const cut = (text, most) => (text.length > most ? sliceText(text, 0, most) + '…' : text);
const quote = (text, most = LONGEST_TEXT) => stringify(cut(text, most));

/** Any value as short text. Never throws, whatever `toString` does. */
function text(value, most = LONGEST_TEXT) {
  try {
    if (typeof value === 'string') return cut(value, most);
    if (typeof value === 'symbol') return cut(describeSymbol(value), most);
    if (typeof value === 'object' && value !== null) return cut(json(value, most), most);
    if (typeof value === 'function') return '[function]';
    return cut('' + value, most);
  } catch {
    return '[unreadable]';
  }
}

/** Any value as bounded JSON text: functions, symbols and cycles become words, nothing of a prototype is consulted. */
function json(value) {
  return write(value, 0, { __proto__: null, nodes: MOST_NODES, seen: new RealMap() });
}

function write(value, depth, budget) {
  budget.nodes -= 1;
  if (budget.nodes < 0) return '"…"';
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'number':
      return isFinite(value) ? '' + value : 'null';
    case 'boolean':
      return value ? 'true' : 'false';
    case 'undefined':
      return 'null';
    case 'bigint':
      return quote('' + value + 'n');
    case 'symbol':
      return quote(describeSymbol(value));
    case 'function':
      return '"[function]"';
  }
  if (value === null) return 'null';
  if (depth >= DEEPEST || mapHas(budget.seen, value)) return '"…"';
  mapSet(budget.seen, value, true);
  try {
    return isArray(value) ? writeArray(value, depth, budget) : writeRecord(value, depth, budget);
  } catch {
    return '"[unreadable]"';
  } finally {
    mapDelete(budget.seen, value);
  }
}

function writeArray(value, depth, budget) {
  const length = value.length;
  let out = '[';
  for (let i = 0; i < length; i += 1) {
    if (i > 0) out += ',';
    if (i >= WIDEST || budget.nodes <= 0) return out + '"…"]';
    out += writeProperty(value, i, depth, budget);
  }
  return out + ']';
}

function writeRecord(value, depth, budget) {
  const keys = ownKeys(value);
  let out = '{';
  let written = 0;
  for (let i = 0; i < keys.length; i += 1) {
    if (typeof keys[i] !== 'string') continue;
    if (written > 0) out += ',';
    if (written >= WIDEST || budget.nodes <= 0) return out + '"…":true}';
    out += quote(keys[i], 200) + ':' + writeProperty(value, keys[i], depth, budget);
    written += 1;
  }
  return out + '}';
}

function writeProperty(value, key, depth, budget) {
  let found;
  try {
    found = value[key];
  } catch {
    return '"[threw]"';
  }
  return write(found, depth + 1, budget);
}

/** One property, `undefined` when reading it throws. */
function read(value, key) {
  try {
    return value === null || value === undefined ? undefined : value[key];
  } catch {
    return undefined;
  }
}

const textOf = (value, key, most) => {
  const found = read(value, key);
  return typeof found === 'string' ? cut(found, most) : '';
};

/** Whatever was thrown, as three strings. */
function error(value) {
  const thing = (typeof value === 'object' && value !== null) || typeof value === 'function';
  if (!thing) return { __proto__: null, name: '', message: text(value), stack: '' };
  const name = textOf(value, 'name', 200);
  const message = textOf(value, 'message', LONGEST_TEXT);
  return {
    __proto__: null,
    name,
    message: message || (name ? '' : text(value)),
    stack: textOf(value, 'stack', 4000),
  };
}

const stackHere = () => {
  try {
    return textOf(new RealError(), 'stack', 4000);
  } catch {
    return ''; // Error.prepareStackTrace is the plugin's to set
  }
};

// ---------------------------------------------------------------- recording

const MOST_RECORDS = 5000;
const MOST_UNITS = 4_000_000;
let records = 0;
let units = 0;

/** Hand one event over: `line` is JSON text. Bounded here and again outside. */
function emit(kind, line) {
  records += 1;
  units += line.length;
  if (records > MOST_RECORDS || units > MOST_UNITS) return;
  channel(kind + '\n' + line);
}

function record(kind, value) {
  emit(text(kind, 40), json(value));
}

const problems = new RealMap();
function problem(code, message) {
  const said = text(message, 500);
  const stack = stackHere();
  const key = text(code, 10) + said;
  if (mapHas(problems, key) || mapSize(problems) >= 100) return;
  mapSet(problems, key, true);
  emit('problem', `{"code":${quote(text(code, 10))},"message":${quote(said)},"stack":${quote(stack, 4000)},"phase":${quote(state.phase)}}`);
}

// ---------------------------------------------------------------- the plugin's scope

const state = { __proto__: null, phase: 'stage', pluginId: '', registering: false, asked: 0, awaited: '', ids: 0 };
const tracked = new RealMap();
const contributions = new RealMap();
const byId = new RealMap();
const disposers = new RealMap();
const MOST_TRACKED = 10_000;
const MOST_CONTRIBUTIONS = 500;

const nextId = () => (state.ids += 1);

function track(kind, detail) {
  if (mapSize(tracked) >= MOST_TRACKED) return () => {};
  const id = nextId();
  mapSet(tracked, id, { __proto__: null, kind: text(kind, 20), detail: text(detail, 200), stack: stackHere() });
  return () => {
    mapDelete(tracked, id);
  };
}

function onDispose(fn) {
  const id = nextId();
  if (mapSize(disposers) < MOST_TRACKED) mapSet(disposers, id, { __proto__: null, fn, stack: stackHere() });
  return () => {
    mapDelete(disposers, id);
  };
}

// What the plugin registered, kept with the live object; the summary leaves at once, so that a later trap cannot lose it.
function contribute(contribution, via) {
  const how = text(via, 60);
  if (mapSize(contributions) >= MOST_CONTRIBUTIONS) {
    problem('HP407', `more than ${MOST_CONTRIBUTIONS} contributions are registered; the rest were not looked at`);
    return () => {};
  }
  const rawId = read(contribution, 'id');
  const rawArea = read(contribution, 'area');
  const id = typeof rawId === 'string' || typeof rawId === 'number' ? text(rawId, 200) : '';
  const area = typeof rawArea === 'string' ? cut(rawArea, 200) : '';
  const n = nextId();
  const earlier = id === '' ? undefined : mapGet(byId, id);
  const duplicate = earlier !== undefined && mapDelete(contributions, earlier);
  mapSet(byId, id, n);
  const kept = { __proto__: null, n, id, area, via: how, contribution, stack: stackHere() };
  mapSet(contributions, n, kept);
  const title = read(contribution, 'title');
  const order = read(contribution, 'order');
  emit(
    'contribution',
    `{"n":${n},"id":${quote(id)},"area":${quote(area)},"via":${quote(how)},"duplicate":${duplicate},"phase":${quote(state.phase)}` +
      `,"id_type":"${typeof rawId}","area_type":"${typeof rawArea}"` +
      `,"title":${typeof title === 'string' ? quote(title) : typeof title === 'number' ? write(title, 0, fresh()) : 'null'}` +
      `,"order":${typeof order === 'number' ? write(order, 0, fresh()) : 'null'}` +
      `,"render":"${typeof read(contribution, 'render')}","data":${json(read(contribution, 'data'))}` +
      `,"stack":${quote(kept.stack, 4000)}}`,
  );
  return () => {
    mapDelete(contributions, n);
  };
}

const fresh = () => ({ __proto__: null, nodes: 10, seen: new RealMap() });

/** Notes that the plugin waits for what only the app has: a file that loads, an answer, a person. */
function awaits(what) {
  state.asked += 1;
  state.awaited = text(what, 200);
}

/** A promise that stays pending: the app would answer, the rehearsal has nobody who could. */
function never(what) {
  awaits(what);
  return new RealPromise(() => {});
}

const duringRegister = () => state.registering;
const pluginId = () => state.pluginId;

// ---------------------------------------------------------------- the fake clock

// A fixed Thursday morning, so that two rehearsals of the same bytes say the same.
const STARTED_MS = 1767258000000;
// A loop that waits for the clock by reading it must end; each read costs this much of fake time.
const READ_COSTS_MS = 0.05;
let now_ms = STARTED_MS;
// What timers alone have moved the clock by.
let waited_ms = 0;
const timers = new RealMap();
const MOST_TIMERS = 5000;

const readClock = () => (now_ms += READ_COSTS_MS);

const clock = {
  __proto__: null,
  now: () => floor(readClock()),
  schedule(fn, delayMs, options) {
    const id = nextId();
    const delay = typeof delayMs === 'number' && delayMs > 0 && isFinite(delayMs) ? delayMs : 0;
    const every = read(options, 'every') === true;
    if (mapSize(timers) < MOST_TIMERS) {
      mapSet(timers, id, {
        __proto__: null,
        id,
        fn,
        args: read(options, 'args') ?? [],
        of: read(options, 'of') ?? fn,
        due: now_ms + delay,
        // Intervals under 4 ms are clamped by browsers too; here it also keeps one from crowding out the others.
        every: every ? (delay < 4 ? 4 : delay) : 0,
        untracked: read(options, 'untracked') === true,
        name: text(read(options, 'name') ?? (every ? 'setInterval' : 'setTimeout'), 60),
        delay,
        stack: stackHere(),
      });
    }
    return id;
  },
  cancel(id) {
    mapDelete(timers, typeof id === 'number' ? id : -1);
  },
};

/** Take the next due timer off the list and move the clock to it. */
function takeTimer(untilMs) {
  let next;
  mapEach(timers, (timer) => {
    if (next === undefined || timer.due < next.due) next = timer;
  });
  if (next === undefined || next.due > untilMs) return undefined;
  if (next.due > now_ms) {
    waited_ms += next.due - now_ms;
    now_ms = next.due;
  }
  if (next.every > 0) next.due = now_ms + next.every;
  else mapDelete(timers, next.id);
  return next;
}

const timersLeft = () => mapSize(timers);
const clockMs = () => now_ms;
const waitedMs = () => floor(waited_ms);

function installClock() {
  const set = (name, value) => defineProperty(globalThis, name, { __proto__: null, value, writable: true, configurable: true });
  const rest = (args, from) => {
    const out = [];
    for (let i = from; i < args.length; i += 1) defineProperty(out, i - from, { __proto__: null, value: args[i], writable: true, enumerable: true, configurable: true });
    return out;
  };
  const timer = (name, every) =>
    function (fn, delay, ...args) {
      return clock.schedule(fn, +delay, { __proto__: null, every, args, name });
    };
  set('setTimeout', timer('setTimeout', false));
  set('setInterval', timer('setInterval', true));
  const clear = function (id) {
    clock.cancel(id);
  };
  for (const name of ['clearTimeout', 'clearInterval', 'cancelAnimationFrame', 'cancelIdleCallback']) set(name, clear);
  set('requestAnimationFrame', function (fn) {
    return clock.schedule((...args) => apply(fn, undefined, [performance.now(), ...args]), 16, { __proto__: null, name: 'requestAnimationFrame' });
  });
  set('requestIdleCallback', function (fn) {
    const deadline = { didTimeout: false, timeRemaining: () => 10 };
    return clock.schedule(fn, 1, { __proto__: null, name: 'requestIdleCallback', args: [deadline] });
  });
  set('setImmediate', undefined);
  delete globalThis.setImmediate;

  function FakeDate(...args) {
    if (new.target === undefined) return new RealDate(clock.now()).toString();
    return construct(RealDate, args.length === 0 ? [clock.now()] : rest(args, 0), new.target);
  }
  FakeDate.prototype = RealDate.prototype;
  defineProperty(RealDate.prototype, 'constructor', { __proto__: null, value: FakeDate, writable: true, configurable: true });
  defineProperty(FakeDate, 'name', { __proto__: null, value: 'Date', configurable: true });
  defineProperty(FakeDate, 'length', { __proto__: null, value: 7, configurable: true });
  FakeDate.now = () => clock.now();
  FakeDate.parse = RealDate.parse;
  FakeDate.UTC = RealDate.UTC;
  set('Date', FakeDate);

  // The engine's own object is not configurable in its parts: a new one takes its place.
  const performance = {};
  const entry = (name, startTime) => ({ name: text(name, 200), entryType: 'measure', startTime, duration: 0, toJSON: () => ({}) });
  set('performance', performance);
  const ofPerformance = {
    now: () => readClock() - STARTED_MS,
    timeOrigin: STARTED_MS,
    mark: (name) => entry(name, readClock() - STARTED_MS),
    measure: (name) => entry(name, readClock() - STARTED_MS),
    clearMarks() {},
    clearMeasures() {},
    getEntries: () => [],
    getEntriesByName: () => [],
    getEntriesByType: () => [],
  };
  for (const name of ownKeys(ofPerformance)) {
    defineProperty(performance, name, { __proto__: null, value: ofPerformance[name], writable: true, configurable: true, enumerable: true });
  }

  let seed = 0x2545f491;
  Math.random = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// ---------------------------------------------------------------- console

const MOST_CONSOLE_LINES = 200;
let consoleLines = 0;

function installConsole() {
  const say = (level) =>
    function (...args) {
      consoleLines += 1;
      if (consoleLines > MOST_CONSOLE_LINES) return;
      let line = '';
      for (let i = 0; i < args.length && i < 20; i += 1) {
        const one = args[i];
        const failure = typeof one === 'object' && one !== null && one instanceof RealError ? error(one) : undefined;
        line += (i > 0 ? ' ' : '') + (failure ? `${failure.name}: ${failure.message}` : text(one, 1000));
      }
      emit('console', `{"level":"${level}","text":${quote(line)}}`);
    };
  const log = say('log');
  const quiet = () => {};
  const console = {
    log, info: say('info'), warn: say('warn'), error: say('error'), debug: say('debug'),
    trace: say('debug'), dir: log, dirxml: log, table: log, group: log, groupCollapsed: log,
    groupEnd: quiet, time: quiet, timeEnd: quiet, timeLog: quiet, timeStamp: quiet, count: quiet, countReset: quiet,
    clear: quiet, profile: quiet, profileEnd: quiet,
    assert(ok, ...args) {
      if (!ok) apply(console.error, console, ['Assertion failed', ...args]);
    },
  };
  defineProperty(globalThis, 'console', { __proto__: null, value: console, writable: true, configurable: true });
}

// ---------------------------------------------------------------- bytes out of text

/**
 * `Uint8Array.from(atob(…), (c) => c.charCodeAt(0))`, the usual way to unpack what is embedded in a file. The engine
 * lists all letters first, each a text of its own: forty times the file, and ten times what a browser takes.
 */
function installBytesOfText() {
  const TypedArray = getPrototypeOf(Uint8Array);
  const plain = TypedArray.from;
  const { slice } = TypedArray.prototype;
  const own = new RealMap();
  for (const name of ownKeys(globalThis)) {
    const made = globalThis[name];
    if (typeof made === 'function' && getPrototypeOf(made) === TypedArray) mapSet(own, made, true);
  }
  function from(source, map, self) {
    const simple = typeof source === 'string' && (map === undefined || typeof map === 'function') && mapHas(own, this);
    if (!simple) return apply(plain, this, arguments);
    const made = construct(this, [source.length]);
    let n = 0;
    // Indexed and called plainly: whatever costs more a letter than this costs seconds a file.
    for (let at = 0; at < source.length; at += 1, n += 1) {
      let letter = source[at];
      if (letter >= '\ud800' && letter <= '\udbff' && source[at + 1] >= '\udc00' && source[at + 1] <= '\udfff') letter += source[(at += 1)];
      made[n] = map === undefined ? letter : self === undefined ? map(letter, n) : apply(map, self, [letter, n]);
    }
    return n === source.length ? made : apply(slice, made, [0, n]);
  }
  defineProperty(from, 'length', { __proto__: null, value: 1, configurable: true });
  defineProperty(TypedArray, 'from', { __proto__: null, value: from, writable: true, configurable: true });
}

installClock();
installConsole();
installBytesOfText();

// ---------------------------------------------------------------- exports

export const safe = { __proto__: null, apply, text, json, error, read, quote, cut, ownKeys, isArray, getPrototypeOf, promiseThen, RealMap, RealPromise, mapEach, mapSize, mapDelete, mapGet, mapSet, mapHas };
export { awaits, clock, contribute, duringRegister, never, onDispose, pluginId, problem, record, track };

/** For the driver alone. */
export const inside = { __proto__: null, clockMs, contributions, disposers, emit, nextId, state, stackHere, takeTimer, timers, timersLeft, tracked, waitedMs };

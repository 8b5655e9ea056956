// @@driver: plays one plugin through, one short synchronous step at a time.
//
// Each export is one step. The rehearsal outside runs a step, lets all queued promise jobs finish, and runs the next; it
// never awaits anything of the plugin's, because `await` asks the plugin's own objects how. What a step learns leaves at
// once by `emit`, so that a trap in the middle loses nothing of what came before.

import { contribute, inside, safe } from '@@host';
import { createContext } from '@@context';
import { listenedTo } from '@@events';
import { createRoot, renderElement } from '@@render';
import { createElement } from '@@react';

const { apply, json, error, read, quote, text, promiseThen, mapEach, mapGet, mapSet, mapDelete, mapHas, mapSize, RealMap, isArray } = safe;
const { emit, state, contributions, disposers, tracked, timers, takeTimer, timersLeft, clockMs, waitedMs } = inside;

const promiseOf = () => new safe.RealPromise((resolve) => resolve());

const failure = (value) => {
  const { name, message, stack } = error(value);
  return `{"name":${quote(name)},"message":${quote(message)},"stack":${quote(stack, 4000)}}`;
};

/** Run something of the plugin's; what it throws is reported as `kind` and swallowed. → true when it returned. */
function guarded(kind, extra, work) {
  try {
    work();
    return true;
  } catch (thrown) {
    emit(kind, `{${extra}"error":${failure(thrown)}}`);
    return false;
  }
}

// What an async function returned is nobody else's, so who called it is the only one who can hear of its failure. Any
// other promise may have a handler of the plugin's own.
const ASYNC = safe.getPrototypeOf(async () => {});
const PROMISE = safe.getPrototypeOf(promiseOf());
let over = false;

/** A callback of the plugin's has answered: where it is an async function, report what it fails with later. */
function hear(kind, extra, fn, answer) {
  try {
    if (safe.getPrototypeOf(fn) !== ASYNC || safe.getPrototypeOf(answer) !== PROMISE) return;
    promiseThen(answer, () => {}, (thrown) => {
      // What is cut off because its plugin goes is no failure.
      if (!over && read(thrown, 'name') !== 'AbortError') emit(kind, `{${extra}"later":true,"error":${failure(thrown)}}`);
    });
  } catch {
    // A proxy that minds the question.
  }
}

const describeType = (value) => (value === null ? 'null' : isArrayGuarded(value) ? 'array' : typeof value);
const isArrayGuarded = (value) => {
  try {
    return isArray(value);
  } catch {
    return false; // a revoked proxy
  }
};

// ---------------------------------------------------------------- load

let plugin;

export const phase = (name) => void (state.phase = name);

/** The evaluated module's namespace: what does it export by default? */
export function loaded(namespace) {
  const keys = safe.ownKeys(namespace);
  let has = false;
  for (let i = 0; i < keys.length; i += 1) if (keys[i] === 'default') has = true;
  plugin = read(namespace, 'default');
  const type = describeType(plugin);
  const field = (name) => read(plugin, name);
  const kind = (name) => {
    try {
      return describeType(plugin[name]);
    } catch {
      return 'throws';
    }
  };
  const given = (name) => {
    const value = field(name);
    return `{"type":"${value === undefined ? kind(name) : describeType(value)}","text":${typeof value === 'string' ? quote(value) : 'null'}}`;
  };
  const usable = type === 'object' || type === 'function' || type === 'array';
  const id = usable ? field('id') : undefined;
  if (typeof id === 'string') state.pluginId = safe.cut(id, 200);
  const buttons = usable ? field('titlebarButtons') : undefined;
  const enabled = usable ? field('defaultEnabled') : undefined;
  emit(
    'default',
    `{"present":${has},"thenable":${typeof read(namespace, 'then') === 'function'},"type":"${type}","id":${usable ? given('id') : 'null'},"name":${usable ? given('name') : 'null'}` +
      `,"description":${usable ? given('description') : 'null'}` +
      `,"default_enabled":${typeof enabled === 'boolean' ? enabled : 'null'}` +
      `,"register":"${usable ? kind('register') : 'undefined'}"` +
      `,"buttons":${isArrayGuarded(buttons) ? json(buttons) : 'null'}}`,
  );
}

/** The module failed: say with what. A failed module keeps its error and gives it again to everyone who asks. */
export function explain() {
  promiseThen(
    import('plugin.js'),
    () => {},
    (thrown) => emit('evaluation-failed', `{"error":${failure(thrown)}}`),
  );
}

/** Who could still call back into a module that waits: what it asked for, listens to or watches, or nobody. */
export function waiting() {
  let awaited = state.awaited;
  if (state.asked === 0) mapEach(tracked, ({ kind, detail }) => (awaited = `${kind} ${detail}`));
  if (awaited === '') awaited = handlerOn('window', globalThis) || handlerOn('document', read(globalThis, 'document')) || handlerInPage();
  emit('waiting', `{"timers":${timersLeft()},"waited_ms":${waitedMs()},"awaited":${quote(awaited)}}`);
}

/** `window.onfocus` and the like, where the plugin has set one. */
function handlerOn(name, target) {
  let keys = [];
  try {
    keys = safe.ownKeys(target);
  } catch {
    // No object at all, or a proxy that minds: the plugin has put it there.
  }
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i];
    if (typeof key === 'string' && key[0] === 'o' && key[1] === 'n' && typeof read(target, key) === 'function') return `${name}.${key}`;
  }
  return '';
}

/** The same for whatever stands in the page: a frame that loads, an animation that ends. */
function handlerInPage() {
  const found = [read(read(globalThis, 'document'), 'documentElement')];
  for (let i = 0; i < found.length && i < MOST_NODES; i += 1) {
    const node = found[i];
    const name = `<${text(read(node, 'localName') ?? '', 60)}>`;
    const type = listenedTo(node);
    const handler = type === '' ? handlerOn(name, node) : `listener ${name} '${text(type, 60)}'`;
    if (handler !== '') return handler;
    const roots = [node, read(node, 'shadowRoot')];
    for (let r = 0; r < 2; r += 1) {
      const inner = read(roots[r], 'childNodes');
      const count = isArrayGuarded(inner) ? inner.length : 0;
      for (let n = 0; n < count && found.length < MOST_NODES; n += 1) found[found.length] = inner[n];
    }
  }
  return '';
}
const MOST_NODES = 5000;

// ---------------------------------------------------------------- register

export function register() {
  const done = (kind, body) => {
    if (!state.registering) return;
    state.registering = false;
    emit(kind, body);
  };
  state.registering = true;
  try {
    const method = plugin.register;
    if (typeof method !== 'function') {
      registerButtons(plugin.titlebarButtons);
      done('registered', '{}');
      return;
    }
    const result = apply(method, plugin, [createContext(state.pluginId)]);
    const then = read(result, 'then');
    if ((typeof result !== 'object' && typeof result !== 'function') || result === null || typeof then !== 'function') {
      done('registered', '{}');
      return;
    }
    const resolved = () => done('registered', '{}');
    const rejected = (thrown) => done('register-failed', `{"error":${failure(thrown)}}`);
    apply(then, result, [resolved, rejected]);
  } catch (thrown) {
    done('register-failed', `{"error":${failure(thrown)}}`);
  }
}

/** register() returned a promise: is it still open? */
export const registering = () => emit('registering', `{"open":${state.registering}}`);

/** From here on nothing counts as done during register(), settled or not. */
export const registerOver = () => void (state.registering = false);

// The form that one guide shows: buttons as data. What each would be as a contribution.
function registerButtons(buttons) {
  const length = isArrayGuarded(buttons) ? read(buttons, 'length') : 0;
  for (let i = 0; i < length && i < 50; i += 1) {
    const button = read(buttons, i);
    const id = read(button, 'id');
    contribute({ __proto__: null, id: typeof id === 'string' ? id : 'button-' + i, area: 'titleBar.right', data: button }, 'titlebarButtons');
  }
}

// ---------------------------------------------------------------- timers

const HOPS = 8;
const settled = promiseOf();

/** Fire up to `most` timers that are due within `untilMs` of fake time, in order, letting promise jobs run between them. */
export function tick(most, untilMs) {
  const last = clockMs() + untilMs;
  let left = most;
  let fired = 0;
  const next = () => {
    const timer = left > 0 ? takeTimer(last) : undefined;
    if (timer === undefined) {
      flush();
      emit('ticked', `{"fired":${fired}}`);
      return;
    }
    left -= 1;
    fired += 1;
    if (typeof timer.fn === 'function') {
      const named = `"name":${quote(timer.name)},`;
      guarded('timer-failed', named, () => hear('timer-failed', named, timer.of, apply(timer.fn, undefined, timer.args)));
    }
    hop(HOPS, next);
  };
  next();
}

// Promise jobs run first in, first out: a few jobs of ours that do nothing let chains of the plugin's catch up.
function hop(hops, then) {
  promiseThen(settled, () => (hops > 0 ? hop(hops - 1, then) : then()));
}

// ---------------------------------------------------------------- render

const roots = new RealMap();

// What of a contribution draws, and with what the app would call it.
function drawing(kept) {
  const render = read(kept.contribution, 'render');
  if (typeof render === 'function') return () => createElement(render);
  const data = read(kept.contribution, 'data');
  const ofData = read(data, 'render');
  if (typeof ofData === 'function') {
    const name = read(data, 'name');
    const props =
      kept.area === 'transcript.directives'
        ? { attrs: {}, streaming: false, name: typeof name === 'string' ? name : '' }
        : { sessionId: 'session-1', sessionID: 'session-1' };
    return () => createElement((given) => renderElement(apply(ofData, data, [given])), props);
  }
  return undefined;
}

/** Draw every contribution that was not drawn yet, each guarded. */
export function renderAll() {
  mapEach(contributions, (kept, n) => {
    // A drawing may register what is drawn next; somewhere that ends.
    if (mapHas(drawn, n) || mapSize(drawn) >= MOST_DRAWN) return;
    mapSet(drawn, n, true);
    emit('rendering', `{"n":${n}}`);
    evaluateCondition(kept, 'when');
    evaluateCondition(kept, 'enabled');
    try {
      const draw = drawing(kept);
      if (draw === undefined) {
        exercise(kept);
        return;
      }
      const root = createRoot(draw());
      mapSet(roots, n, root);
      show(n, root);
    } catch (thrown) {
      emit('render-failed', `{"n":${n},"error":${failure(thrown)}}`);
    }
  });
}
const drawn = new RealMap();
const MOST_DRAWN = 200;

function show(n, root) {
  if (root.error !== undefined) {
    emit('render-failed', `{"n":${n},"error":${failure(root.error.value)}}`);
    return;
  }
  emit('tree', `{"n":${n},"tree":${writeTree(root.tree(), 0, { __proto__: null, nodes: 6000 })}}`);
}

// The tree is the stubs' own, but what stands in its props came from the plugin: primitives only, written by hand.
function writeTree(node, depth, budget) {
  budget.nodes -= 1;
  if (typeof node === 'string' || typeof node === 'number') return quote('' + node);
  if (node === null || node === undefined || typeof node !== 'object' || budget.nodes < 0 || depth > 250) return 'null';
  let props = '';
  const given = node.props;
  if (given !== null && typeof given === 'object') {
    const keys = safe.ownKeys(given);
    for (let i = 0; i < keys.length && i < 100; i += 1) {
      const key = keys[i];
      const value = given[key];
      if (typeof key !== 'string' || (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')) continue;
      props += (props === '' ? '' : ',') + quote(key, 100) + ':' + json(value);
    }
  }
  let handlers = '';
  const listening = node.handlers;
  const many = listening === undefined || listening === null ? 0 : listening.length;
  for (let i = 0; i < many && i < 30; i += 1) handlers += (i > 0 ? ',' : '') + quote(text(listening[i], 60), 60);
  let children = '';
  const inner = node.children;
  const count = inner === undefined || inner === null ? 0 : inner.length;
  for (let i = 0; i < count; i += 1) {
    if (budget.nodes < 0) break;
    children += (children === '' ? '' : ',') + writeTree(inner[i], depth + 1, budget);
  }
  const ref = typeof node.ref === 'number' ? '' + node.ref : 'null';
  return `{"type":${quote(text(node.type, 100))},"ref":${ref},"props":{${props}},"handlers":[${handlers}],"children":[${children}]}`;
}

function evaluateCondition(kept, name) {
  const condition = read(kept.contribution, name);
  if (condition === undefined) return;
  guarded('condition-failed', `"n":${kept.n},"name":"${name}",`, () => {
    let value = condition;
    if (typeof condition === 'function') value = condition();
    else if (typeof read(condition, 'get') === 'function') value = condition.get();
    emit('condition', `{"n":${kept.n},"name":"${name}","value":${value ? 'true' : 'false'}}`);
  });
}

// Contributions that compute instead of drawing get one plausible call. Those that act (run, onSelect) are left alone:
// a person presses them.
function exercise(kept) {
  const data = read(kept.contribution, 'data');
  const call = (name, args) => {
    const method = read(data, name);
    if (typeof method !== 'function') return;
    guarded('exercise-failed', `"n":${kept.n},"name":"${name}",`, () => {
      const result = apply(method, data, args);
      const then = read(result, 'then');
      if (typeof then === 'function') {
        apply(then, result, [
          () => {},
          (thrown) => emit('exercise-failed', `{"n":${kept.n},"name":"${name}","error":${failure(thrown)}}`),
        ]);
      }
    });
  };
  if (kept.area === 'composer.middleware') call('handler', [{ text: 'Hello', attachments: [], sessionId: 'session-1' }]);
  if (kept.area === 'composer.modelPill') call('label', [{ model: 'sample-model', reasoningEffort: 'medium', compact: false }]);
  if (kept.area === 'modelMenu.row') call('decorate', [{ provider: 'sample', model: 'sample-model', label: 'Sample model' }]);
}

/** Apply what timers and promises changed; trees that differ are sent again. */
export function flush() {
  mapEach(roots, (root, n) => {
    guarded('render-failed', `"n":${n},`, () => {
      if (root.flush()) show(n, root);
    });
  });
}

// ---------------------------------------------------------------- events

/** Do to the first fitting node what a person would: `what` is {type, text, value}. */
export function play(what) {
  const type = what.type;
  let played = false;
  mapEach(roots, (root, n) => {
    if (played || root.error !== undefined) return;
    const found = find(root.tree(), what, 0);
    if (found === undefined) return;
    played = true;
    const named = `"n":${n},"type":${quote(type)},`;
    root.onAnswer = (handler, answer) => hear('event-failed', named, handler, answer);
    guarded('event-failed', named, () => {
      const handled = root.dispatch(found.ref, type, { __proto__: null, value: what.value, key: what.key });
      emit('event', `{"n":${n},"type":${quote(type)},"target":${quote(what.text)},"handled":${handled ? 'true' : 'false'}}`);
    });
    show(n, root);
  });
  // Contributions that a person presses without any drawing of ours: a palette row, a title bar tool, a key.
  if (!played) played = press(what);
  if (!played) emit('event', `{"n":null,"type":${quote(type)},"target":${quote(what.text)},"handled":false}`);
}

function press(what) {
  let pressed = false;
  mapEach(contributions, (kept) => {
    const data = read(kept.contribution, 'data');
    if (pressed || (read(data, 'label') !== what.text && kept.id !== what.text)) return;
    const action = read(data, 'run') ?? read(data, 'onSelect');
    if (typeof action !== 'function') return;
    pressed = true;
    const named = `"n":${kept.n},"type":"press",`;
    guarded('event-failed', named, () => {
      hear('event-failed', named, action, apply(action, data, []));
      emit('event', `{"n":${kept.n},"type":"press","target":${quote(what.text)},"handled":true}`);
    });
  });
  return pressed;
}

const HANDLERS = { __proto__: null, click: 'onClick', change: 'onChange', input: 'onInput', keydown: 'onKeyDown', submit: 'onSubmit', focus: 'onFocus', blur: 'onBlur' };

function find(node, what, depth) {
  if (node === null || typeof node !== 'object' || depth > 250) return undefined;
  const inner = node.children;
  const count = inner === undefined || inner === null ? 0 : inner.length;
  // The innermost fitting node is the one a person would hit.
  for (let i = 0; i < count; i += 1) {
    const found = find(inner[i], what, depth + 1);
    if (found !== undefined) return found;
  }
  return fits(node, what) ? node : undefined;
}

function fits(node, what) {
  const wanted = HANDLERS[what.type] ?? '';
  const handlers = node.handlers;
  let listens = false;
  for (let i = 0; handlers && i < handlers.length; i += 1) {
    if (handlers[i] === wanted || (what.type === 'change' && handlers[i] === 'onInput')) listens = true;
  }
  if (!listens) return false;
  if (what.text === '') return true;
  const props = node.props;
  if (props && (props['aria-label'] === what.text || props.title === what.text || props.placeholder === what.text || props.name === what.text)) return true;
  return textInside(node, 0) === what.text;
}

function textInside(node, depth) {
  if (typeof node === 'string' || typeof node === 'number') return '' + node;
  if (node === null || typeof node !== 'object' || depth > 50) return '';
  let out = '';
  const inner = node.children;
  const count = inner === undefined || inner === null ? 0 : inner.length;
  for (let i = 0; i < count; i += 1) out += textInside(inner[i], depth + 1);
  return out;
}

// ---------------------------------------------------------------- unload

/** What the app does when the plugin goes: views first, then the plugin's own clean-ups in order, each guarded. */
export function unload() {
  over = true;
  mapEach(roots, (root) => {
    guarded('disposer-failed', '"what":"unmount",', () => {
      const failures = root.unmount();
      const many = failures === undefined || failures === null ? 0 : failures.length;
      for (let i = 0; i < many && i < 20; i += 1) emit('disposer-failed', `{"what":"effect","error":${failure(failures[i])}}`);
    });
  });
  const before = new RealMap();
  mapEach(contributions, (kept, n) => mapSet(before, n, kept.via));
  mapEach(disposers, (entry, id) => {
    mapDelete(disposers, id);
    guarded('disposer-failed', `"what":"dispose","stack":${quote(entry.stack, 4000)},`, () => apply(entry.fn, undefined, []));
  });
  // The app itself takes back what came in by ctx; what came in by the host's own door is the plugin's to close.
  mapEach(before, (via, n) => {
    if (via !== 'host.openWorkspace') mapDelete(contributions, n);
  });
}

/** Give animation frames that were asked for before the end their last turn: what asks again is a loop, and stays a leak. */
export function lastFrames() {
  for (let round = 0; round < 2; round += 1) {
    // A list of its own: forEach would also visit what a frame asks for anew, for ever.
    const due = new RealMap();
    mapEach(timers, (timer, id) => {
      if (timer.name === 'requestAnimationFrame') mapSet(due, id, timer);
    });
    mapEach(due, (timer, id) => {
      mapDelete(timers, id);
      try {
        apply(timer.fn, undefined, []);
      } catch {
        // The view it drew on is gone, as it would be in the app.
      }
    });
  }
}

export function leaks() {
  let out = '';
  const add = (kind, detail, stack) => {
    out += (out === '' ? '' : ',') + `{"kind":${quote(kind)},"detail":${quote(detail)},"stack":${quote(stack, 4000)}}`;
  };
  mapEach(tracked, (entry) => add(entry.kind, entry.detail, entry.stack));
  mapEach(timers, (timer) => {
    if (!timer.untracked) add('timer', timer.every > 0 ? `${timer.name} every ${timer.every} ms` : `${timer.name} in ${timer.delay} ms`, timer.stack);
  });
  mapEach(contributions, (kept) => add('contribution', `${kept.area} ${kept.id} (${kept.via})`, kept.stack));
  emit('leaks', `[${out}]`);
}

// Types for Hermes Desktop plugins in plain JavaScript: `// @ts-check` at the top of plugin.js and this beside it as jsconfig.json
//
//   { "compilerOptions": { "checkJs": true, "module": "esnext", "moduleResolution": "bundler", "target": "esnext",
//                          "lib": ["esnext", "dom", "dom.iterable"], "types": [] },
//     "include": ["plugin.js", "path/to/types/*.d.ts"] }
//
// What some builds of the app lack is optional: the editor asks for the test that the plugin needs anyway.
// With @types/react in reach, leave react.d.ts out: `"include": [..., "path/to/types/sdk-*.d.ts"]`.

/// <reference path="react.d.ts" />
/// <reference path="sdk-plugin.d.ts" />
/// <reference path="sdk-areas.d.ts" />
/// <reference path="sdk-host.d.ts" />
/// <reference path="sdk-kit.d.ts" />
/// <reference path="sdk-surfaces.d.ts" />
/// <reference path="sdk-tools.d.ts" />
/// <reference path="plugin-bridge.d.ts" />

// All tests of host-policy.js in one process, for `make mutation-js`: each mutant starts one instead of five.
import './host_policy.test.mjs'
import './host_policy_limits.test.mjs'
import './host_policy_parts.test.mjs'
import './host_policy_socket.test.mjs'
import './host_policy_words.test.mjs'

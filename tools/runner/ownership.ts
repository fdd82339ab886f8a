// To know whose a test is that a module defines, and whose an error that nobody catches, node:test follows every
// promise and every handle by a hook of node:async_hooks. Nobody defines tests once all files are loaded, but the hook
// goes on: a seventh of all that a test process does is for it. So it is taken off then.

import { createHook } from 'node:async_hooks';

type Hook = ReturnType<typeof createHook>;

/** Does what makes node:test begin; gives what takes off the hook that it has enabled meanwhile. */
export async function followedFrom(begin: () => Promise<unknown>): Promise<() => void> {
  const followers: Hook[] = [];
  const prototype = Object.getPrototypeOf(createHook({})) as Hook;
  const { enable } = prototype;
  prototype.enable = function (this: Hook) {
    followers.push(this);
    return enable.call(this);
  };
  await begin();
  prototype.enable = enable;
  return () => followers.forEach((hook) => hook.disable());
}

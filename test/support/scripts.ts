import { Redis } from "ioredis";

/**
 * BullMQ defines some ninety scripts on each of its connections, and ioredis computes a hash of each. That is a third of
 * what starting a worker costs, and tests start hundreds in one process: they share the defined commands.
 */

type Definition = Parameters<Redis["defineCommand"]>[1];
type Commands = Record<string, unknown> & { scriptsSet: Record<string, unknown> };

const known = new Map<string, { definition: Definition; script: unknown; run: unknown; runBuffer: unknown }>();
const define = Redis.prototype.defineCommand;

Redis.prototype.defineCommand = function (this: Redis & Commands, name, definition) {
  const same = known.get(name);
  if (this.options.keyPrefix || same?.definition.lua !== definition.lua) {
    define.call(this, name, definition);
    const { scriptsSet, [name]: run, [`${name}Buffer`]: runBuffer } = this;
    if (!this.options.keyPrefix) known.set(name, { definition, script: scriptsSet[name], run, runBuffer });
    return;
  }
  this.scriptsSet[name] = same.script;
  Object.assign(this, { [name]: same.run, [`${name}Buffer`]: same.runBuffer });
};

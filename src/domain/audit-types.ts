import { DEFINED_AUDITS } from "./defined-audits.ts";
import { DEFINED_EVENTS } from "./defined-events.ts";

/** Every type that an entry of the audit log may have. */
export const AUDIT_TYPES: readonly string[] = [
  ...DEFINED_EVENTS.filter(({ audit }) => audit !== null).map(({ name }) => name),
  ...DEFINED_AUDITS.map(({ type }) => type),
].sort();

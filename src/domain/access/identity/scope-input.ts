import { choice } from "../../kernel/wire.ts";
import { type Bundle, SCOPES, type Scope } from "./scopes.ts";

type Granted = Scope | Bundle;

/** A bundle or fine scope in a body. */
export const scope = choice(SCOPES as readonly [Granted, ...Granted[]]);

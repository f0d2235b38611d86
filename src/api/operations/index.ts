import type { Operation } from "../engine/operation.ts";
import { commentOperations } from "./comments.ts";
import { issueOperations } from "./issues.ts";
import { me } from "./me.ts";

/** The registry: every operation of the API, in the order of its reference. */
export const operations: readonly Operation[] = [me, ...issueOperations, ...commentOperations];

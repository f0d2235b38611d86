import { cleanUp as clean } from "../../domain/delivery/clean-up/clean-up.ts";
import { cleanUp } from "../../queues/index.ts";
import { worker } from "../worker.ts";

export const cleanUpWorker = worker(cleanUp, (ctx) => clean(ctx));

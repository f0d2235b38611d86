import { collectFiles as collect } from "../../domain/delivery/files/collect.ts";
import { collectFiles } from "../../queues/index.ts";
import { worker } from "../worker.ts";

export const collectFilesWorker = worker(collectFiles, (ctx, _, { stopping }) => collect(ctx, stopping));

import { z } from "zod";
import { id, timestamp } from "../wire.ts";

export const PROVIDERS = ["github", "gitlab", "generic"] as const;
export type Provider = (typeof PROVIDERS)[number];

export const CommitRefView = z
  .object({
    id,
    repo: z.string(),
    sha: z.string(),
    message: z.string(),
    url: z.string().meta({ description: "Empty when the forge sent none" }),
    author: z.string().nullable(),
    committed_at: timestamp.nullable(),
    branch: z.string().nullable(),
    pull_request_url: z.string().nullable(),
    provider: z.enum(PROVIDERS),
    created_at: timestamp,
  })
  .meta({ id: "CommitRef" });
export type CommitRefView = z.output<typeof CommitRefView>;

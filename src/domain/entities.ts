import { CommentEntity } from "./comments/entities.ts";
import { FormEntity } from "./forms/entities.ts";
import { ApiKeyEntity } from "./keys/entities.ts";
import { Label, Milestone, Release, Sprint } from "./planning/entities.ts";
import { BoardStatus, ProjectEntity } from "./projects/entities.ts";
import { WebhookEntity } from "./webhooks/entities.ts";
import { WorkspaceEntity } from "./workspaces/entities.ts";

/** Every entity, for the entity manager. */
export const entities = [
  WorkspaceEntity,
  ProjectEntity,
  BoardStatus,
  Label,
  Milestone,
  Sprint,
  Release,
  CommentEntity,
  FormEntity,
  ApiKeyEntity,
  WebhookEntity,
];

import { AgentEntity } from "./access/agents/entities.ts";
import { ApiKeyEntity } from "./access/keys/entities.ts";
import { AgentSessionEntity } from "./automation/agent-sessions/entities.ts";
import { AutomationEntity } from "./automation/automations/entities.ts";
import { WorkflowEntity } from "./automation/workflows/entities.ts";
import { WebhookEntity } from "./delivery/webhooks/entities.ts";
import { ChatChannelEntity } from "./knowledge/chat/entities.ts";
import { ChatMessageEntity } from "./knowledge/chat-messages/entities.ts";
import { DocCommentEntity } from "./knowledge/doc-comments/entities.ts";
import { DocEntity } from "./knowledge/docs/entities.ts";
import { GoalEntity } from "./knowledge/goals/entities.ts";
import { KeyResultEntity } from "./knowledge/key-results/entities.ts";
import { NotificationEntity } from "./knowledge/notifications/entities.ts";
import { PortfolioEntity } from "./knowledge/portfolios/entities.ts";
import { WorkspaceViewEntity } from "./knowledge/views/entities.ts";
import { WorkspaceEntity } from "./tenancy/workspaces/entities.ts";
import { CommentEntity } from "./work/comments/entities.ts";
import { FormEntity } from "./work/forms/entities.ts";
import { Label, Milestone, Release, Sprint } from "./work/planning/entities.ts";
import { BoardStatus, ProjectEntity } from "./work/projects/entities.ts";

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
  ChatChannelEntity,
  ChatMessageEntity,
  GoalEntity,
  KeyResultEntity,
  NotificationEntity,
  PortfolioEntity,
  WorkspaceViewEntity,
  AgentEntity,
  AgentSessionEntity,
  AutomationEntity,
  DocEntity,
  DocCommentEntity,
  WorkflowEntity,
  ApiKeyEntity,
  WebhookEntity,
];

// Generated from the API description. Do not edit: `npm run pin` writes it again.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Action: {
            /**
             * @description What the action does.
             * @enum {string}
             */
            type: "set_status" | "set_priority" | "assign_to" | "unassign" | "add_label" | "remove_label" | "move_to_sprint" | "add_comment" | "notify_agent" | "set_field" | "set_custom_field" | "create_issue" | "link_issue" | "notify_users" | "post_message" | "send_webhook" | "start_workflow" | "archive_issue";
        } & {
            [key: string]: unknown;
        };
        ActionInput: {
            /** @description Category, id or name of the column to move the issue to. */
            status: string;
            /**
             * @description The issues that the action changes: the issue of the run (`self`, the default), its `parent`, its `children`, or issues that it is linked to (`linked:blocks`, for example). At most 50, and only those that the creator sees. Default: `self`.
             * @enum {string}
             */
            target?: "self" | "parent" | "children" | "linked:relates_to" | "linked:blocks" | "linked:is_blocked_by" | "linked:duplicates" | "linked:is_duplicated_by";
            /**
             * @description What the action does.
             * @constant
             */
            type: "set_status";
        } | {
            /**
             * @description New priority of the issue.
             * @enum {string}
             */
            priority: "lowest" | "low" | "medium" | "high" | "highest" | "critical";
            /**
             * @description The issues that the action changes: the issue of the run (`self`, the default), its `parent`, its `children`, or issues that it is linked to (`linked:blocks`, for example). At most 50, and only those that the creator sees. Default: `self`.
             * @enum {string}
             */
            target?: "self" | "parent" | "children" | "linked:relates_to" | "linked:blocks" | "linked:is_blocked_by" | "linked:duplicates" | "linked:is_duplicated_by";
            /**
             * @description What the action does.
             * @constant
             */
            type: "set_priority";
        } | {
            /**
             * @description Who becomes the assignee: one `member`, the `triggering_user`, the `reporter`, or the members of a list in turn (`round_robin`).
             * @enum {string}
             */
            assign_target: "member" | "triggering_user" | "reporter" | "round_robin";
            /** @description User id of the person or agent. Required with `assign_target` `member`. */
            member_id?: string;
            /** @description User ids of the people and agents who take turns. Required with `assign_target` `round_robin`. */
            member_ids?: string[];
            /**
             * @description The issues that the action changes: the issue of the run (`self`, the default), its `parent`, its `children`, or issues that it is linked to (`linked:blocks`, for example). At most 50, and only those that the creator sees. Default: `self`.
             * @enum {string}
             */
            target?: "self" | "parent" | "children" | "linked:relates_to" | "linked:blocks" | "linked:is_blocked_by" | "linked:duplicates" | "linked:is_duplicated_by";
            /**
             * @description What the action does.
             * @constant
             */
            type: "assign_to";
        } | {
            /**
             * @description The issues that the action changes: the issue of the run (`self`, the default), its `parent`, its `children`, or issues that it is linked to (`linked:blocks`, for example). At most 50, and only those that the creator sees. Default: `self`.
             * @enum {string}
             */
            target?: "self" | "parent" | "children" | "linked:relates_to" | "linked:blocks" | "linked:is_blocked_by" | "linked:duplicates" | "linked:is_duplicated_by";
            /**
             * @description What the action does.
             * @constant
             */
            type: "unassign";
        } | {
            /** @description The label to add or remove, by id or name. It must exist in the issue's project. */
            label_id: string;
            /**
             * @description The issues that the action changes: the issue of the run (`self`, the default), its `parent`, its `children`, or issues that it is linked to (`linked:blocks`, for example). At most 50, and only those that the creator sees. Default: `self`.
             * @enum {string}
             */
            target?: "self" | "parent" | "children" | "linked:relates_to" | "linked:blocks" | "linked:is_blocked_by" | "linked:duplicates" | "linked:is_duplicated_by";
            /**
             * @description What the action does.
             * @constant
             */
            type: "add_label";
        } | {
            /** @description The label to add or remove, by id or name. It must exist in the issue's project. */
            label_id: string;
            /**
             * @description The issues that the action changes: the issue of the run (`self`, the default), its `parent`, its `children`, or issues that it is linked to (`linked:blocks`, for example). At most 50, and only those that the creator sees. Default: `self`.
             * @enum {string}
             */
            target?: "self" | "parent" | "children" | "linked:relates_to" | "linked:blocks" | "linked:is_blocked_by" | "linked:duplicates" | "linked:is_duplicated_by";
            /**
             * @description What the action does.
             * @constant
             */
            type: "remove_label";
        } | {
            /** @description Id of the sprint. Required with `sprint_target` `specific`. */
            sprint_id?: string;
            /**
             * @description Where the issue goes: the `active` sprint, a `specific` one, or the `backlog`, which is no sprint.
             * @enum {string}
             */
            sprint_target: "active" | "specific" | "backlog";
            /**
             * @description The issues that the action changes: the issue of the run (`self`, the default), its `parent`, its `children`, or issues that it is linked to (`linked:blocks`, for example). At most 50, and only those that the creator sees. Default: `self`.
             * @enum {string}
             */
            target?: "self" | "parent" | "children" | "linked:relates_to" | "linked:blocks" | "linked:is_blocked_by" | "linked:duplicates" | "linked:is_duplicated_by";
            /**
             * @description What the action does.
             * @constant
             */
            type: "move_to_sprint";
        } | {
            /** @description Text of the comment as Markdown. `{{issue.title}}` and similar paths are replaced. */
            comment: string;
            /**
             * @description The issues that the action changes: the issue of the run (`self`, the default), its `parent`, its `children`, or issues that it is linked to (`linked:blocks`, for example). At most 50, and only those that the creator sees. Default: `self`.
             * @enum {string}
             */
            target?: "self" | "parent" | "children" | "linked:relates_to" | "linked:blocks" | "linked:is_blocked_by" | "linked:duplicates" | "linked:is_duplicated_by";
            /**
             * @description What the action does.
             * @constant
             */
            type: "add_comment";
        } | {
            /** @description The agent that starts to work on the issue. It must be a connected agent of the workspace. */
            agent_user_id: string;
            /** @description What the agent should do. Paths are replaced. */
            prompt?: string | null;
            /**
             * @description What the action does.
             * @constant
             */
            type: "notify_agent";
        } | {
            /**
             * @description The issue field to set, or the id or name of the custom field.
             * @enum {string}
             */
            field: "title" | "description_md" | "type" | "estimate_minutes" | "story_points" | "spent_minutes" | "completion_pct" | "start_at" | "due_at" | "milestone_id" | "release_id" | "sprint_id" | "parent" | "epic" | "reporter";
            /**
             * @description The issues that the action changes: the issue of the run (`self`, the default), its `parent`, its `children`, or issues that it is linked to (`linked:blocks`, for example). At most 50, and only those that the creator sees. Default: `self`.
             * @enum {string}
             */
            target?: "self" | "parent" | "children" | "linked:relates_to" | "linked:blocks" | "linked:is_blocked_by" | "linked:duplicates" | "linked:is_duplicated_by";
            /**
             * @description What the action does.
             * @constant
             */
            type: "set_field";
            /** @description New value of the field. `null` clears it. Paths in texts are replaced. */
            value: (string | number | boolean) | string[] | null;
        } | {
            /** @description The issue field to set, or the id or name of the custom field. */
            field: string;
            /**
             * @description The issues that the action changes: the issue of the run (`self`, the default), its `parent`, its `children`, or issues that it is linked to (`linked:blocks`, for example). At most 50, and only those that the creator sees. Default: `self`.
             * @enum {string}
             */
            target?: "self" | "parent" | "children" | "linked:relates_to" | "linked:blocks" | "linked:is_blocked_by" | "linked:duplicates" | "linked:is_duplicated_by";
            /**
             * @description What the action does.
             * @constant
             */
            type: "set_custom_field";
            /** @description New value of the field. `null` clears it. Paths in texts are replaced. */
            value: (string | number | boolean) | string[] | null;
        } | {
            /** @description Id of the issue to place this one directly after. Send only one of `before`, `after` and `rank`. */
            after?: string;
            /** @description Assignee: user id, agent id, e-mail address or `me`. Replaces all assignees; `null` removes them. */
            assignee?: string | null;
            /** @description All assignees in order, as in `assignee`. Wins over `assignee`; an empty list removes all. */
            assignee_ids?: string[];
            /** @description Id of the issue to place this one directly before. Send only one of `before`, `after` and `rank`. */
            before?: string;
            /** @description How much of the work is done, in percent. `null` if not set. */
            completion_pct?: number | null;
            /** @description Values of custom fields by field id or name. `null` clears a value; other fields are kept. */
            custom_fields?: {
                [key: string]: unknown;
            };
            /** @description What is to be done and why, as Markdown. `null` if nobody said. */
            description_md?: string | null;
            /** @description When the issue is due: `YYYY-MM-DD` (a whole day) or a date-time with offset. Not before `start_at`. */
            due_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `due_at` is a whole day. `null` if it is an instant, or not set.
             */
            due_on?: string | null;
            /** @description Epic that the issue belongs to, by key or id. Without it, the issue follows its parent: it has the parent's epic, also when that changes or when the issue moves. `null` for none. Sending the parent's epic lets it follow again. */
            epic?: string | null;
            /** @description Estimated work in minutes. `null` if not estimated. */
            estimate_minutes?: number | string | null;
            /** @description Id of the issue in `external_source`; the pair is unique in the project. `null` if none. */
            external_id?: string | null;
            /** @description Name of the system that the issue was imported from. `null` if none. */
            external_source?: string | null;
            /** @description Fields of the new issue. They may also be sent beside `type`, except for the issue's own type. Paths in the title and the description are replaced. */
            issue?: components["schemas"]["IssueCreateInput"];
            /** @description Labels by id or name. Replaces all labels of the issue; unknown names are refused. */
            labels?: string[];
            /**
             * @description How the new issue is linked to the issue of the run, from the new issue to that one. Left out: no link.
             * @enum {string}
             */
            link_kind?: "relates_to" | "blocks" | "duplicates";
            /** @description Milestone whose progress counts the issue. `null` if it has none. */
            milestone_id?: string | null;
            /** @description Parent issue of the same project, by key or id. `null` for a top-level issue. A subtask needs one; an epic has none. */
            parent?: string | null;
            /**
             * @description How urgent the issue is. `sort=priority_desc` and ready work go by it.
             * @enum {string}
             */
            priority?: "lowest" | "low" | "medium" | "high" | "highest" | "critical";
            /** @description Id or key of the project of the new issue. Left out: the project of the run's issue, or of the automation. */
            project?: string;
            /** @description Position in its list: ranks sort bytewise. Treat it as opaque; send one only if a reply has shown it. */
            rank?: string;
            /** @description Release that is to contain the issue's work. `null` if it has none. */
            release_id?: string | null;
            /** @description Who reported the issue: user id, agent id, e-mail address or `me`. Only admins may name others. */
            reporter?: string;
            /** @description Work done in minutes. `null` if none was recorded. */
            spent_minutes?: number | string | null;
            /** @description Sprint in which the issue is planned. `null` means the backlog. */
            sprint_id?: string | null;
            /** @description When work is planned to start: `YYYY-MM-DD` (a whole day) or a date-time with offset. */
            start_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `start_at` is a whole day. `null` if it is an instant, or not set.
             */
            start_on?: string | null;
            /**
             * @description Category to put the issue into: the column that the issue is in already, or else the first one that the rules of moves allow.
             * @enum {string}
             */
            status?: "backlog" | "todo" | "in_progress" | "in_review" | "done" | "failed" | "cancelled";
            /** @description Id of the column. Wins over `status`. */
            status_id?: string;
            /** @description Estimate in story points. `null` if not estimated. */
            story_points?: number | null;
            /** @description What the issue is about, in one line. */
            title?: string;
            /**
             * @description What the action does.
             * @constant
             */
            type: "create_issue";
            /** @description Who watches the issue from the start: user ids, agent ids, e-mail addresses or `me`. */
            watcher_ids?: string[];
        } | {
            /**
             * @description Kind of the link, from the issue to the other one.
             * @enum {string}
             */
            kind: "relates_to" | "blocks" | "duplicates";
            /**
             * @description The issues that the action changes: the issue of the run (`self`, the default), its `parent`, its `children`, or issues that it is linked to (`linked:blocks`, for example). At most 50, and only those that the creator sees. Default: `self`.
             * @enum {string}
             */
            target?: "self" | "parent" | "children" | "linked:relates_to" | "linked:blocks" | "linked:is_blocked_by" | "linked:duplicates" | "linked:is_duplicated_by";
            /** @description Key or id of the other issue. */
            target_key: string;
            /**
             * @description What the action does.
             * @constant
             */
            type: "link_issue";
        } | {
            /** @description What the notification says. Paths are replaced. */
            message: string;
            /**
             * @description People of the issue to notify. Left out: only those in `user_ids`.
             * @enum {string}
             */
            to?: "assignee" | "reporter" | "watchers";
            /**
             * @description What the action does.
             * @constant
             */
            type: "notify_users";
            /** @description User ids of the people to notify. */
            user_ids?: string[];
        } | {
            /** @description Text of the message as Markdown. Paths are replaced. */
            body_md: string;
            /** @description The channel that the message goes to. It must be visible to the automation's creator. */
            channel_id: string;
            /**
             * @description What the action does.
             * @constant
             */
            type: "post_message";
        } | {
            /**
             * @description What the action does.
             * @constant
             */
            type: "send_webhook";
            /** @description Address to send the event to, if it is not a webhook's. */
            url?: string;
            /** @description Id of the webhook, which gets the event whatever its `event_types`. */
            webhook_id?: string;
        } | {
            /**
             * @description The issues that the action changes: the issue of the run (`self`, the default), its `parent`, its `children`, or issues that it is linked to (`linked:blocks`, for example). At most 50, and only those that the creator sees. Default: `self`.
             * @enum {string}
             */
            target?: "self" | "parent" | "children" | "linked:relates_to" | "linked:blocks" | "linked:is_blocked_by" | "linked:duplicates" | "linked:is_duplicated_by";
            /**
             * @description What the action does.
             * @constant
             */
            type: "start_workflow";
            /** @description Id of the workflow to start on the issue. */
            workflow_id: string;
        } | {
            /**
             * @description The issues that the action changes: the issue of the run (`self`, the default), its `parent`, its `children`, or issues that it is linked to (`linked:blocks`, for example). At most 50, and only those that the creator sees. Default: `self`.
             * @enum {string}
             */
            target?: "self" | "parent" | "children" | "linked:relates_to" | "linked:blocks" | "linked:is_blocked_by" | "linked:duplicates" | "linked:is_duplicated_by";
            /**
             * @description What the action does.
             * @constant
             */
            type: "archive_issue";
        };
        Activity: {
            /**
             * Format: uuid
             * @description User id of the person or agent who did it. `null` if it was not a user.
             */
            actor_id: string | null;
            /**
             * @description Kind of the actor, such as `user`, `agent` or `form`.
             * @enum {string}
             */
            actor_kind: "user" | "agent" | "automation" | "workflow" | "form" | "integration" | "system";
            /** @description Name that the actor had then. `null` if not known. */
            actor_name: string | null;
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description Identifies the entry for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description What happened, for example `status_changed` or `assigned`. */
            kind: string;
            /** @description What changed: usually `field` with the values `from` and `to`. */
            payload: {
                /** @description The key, session, automation, run and request through which it was done. */
                cause: {
                    /**
                     * Format: uuid
                     * @description The automation that made the change. `null` if none did.
                     */
                    automation_id: string | null;
                    /**
                     * Format: uuid
                     * @description Id of the API key. `null` if none was used.
                     */
                    key_id: string | null;
                    /** @description Id of the request, as in `X-Request-Id`. `null` if no request was the cause. */
                    request_id: string | null;
                    /**
                     * Format: uuid
                     * @description The session in which an agent made the change. `null` if it was not made in one.
                     */
                    session_id: string | null;
                    /**
                     * Format: uuid
                     * @description The workflow run that made the change. `null` if none did.
                     */
                    workflow_run_id: string | null;
                };
                /** @description The field of the issue that changed. `null` if none did, as for a comment. */
                field: string | null;
                /** @description Its value before. `null` if it had none, and always for descriptions, which are not repeated. */
                from: unknown;
                /** @description Name of the object or constant that `from` stands for. `null` if there is none. */
                from_name: string | null;
                /** @description Its value after. `null` if it has none, and always for descriptions, which are not repeated. */
                to: unknown;
                /** @description Name of the object or constant that `to` stands for. `null` if there is none. */
                to_name: string | null;
            } & {
                [key: string]: unknown;
            };
        };
        Agent: {
            /**
             * Format: uuid
             * @description Identifies the agent. Use it as an assignee and in `agent_id` of sessions.
             */
            agent_id: string;
            /** @description Costs of all sessions, in US dollars. `null` if none were reported. */
            cost_total: number | null;
            /**
             * Format: date-time
             * @description When the agent was created.
             */
            created_at: string;
            /** @description Fields of issues that the agent may change: names of the fields of PATCH, `status` (also by a transition), `assignee` (also `assignee_ids`), `custom_fields` or `custom_field:<id>`. `null` if it may change all. */
            field_policy: string[] | null;
            /** @description Texts can mention the agent as `@` and this. `null` if it has none. */
            handle: string | null;
            /**
             * Format: uuid
             * @description Identifies the agent for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description First characters of the agent's newest credential. `null` if it has none. */
            key_prefix: string | null;
            /** @description Whether all of the agent's credentials are revoked or expired. */
            key_revoked: boolean;
            /** @description Provider of the agent, such as `claude`. `custom` if not known. */
            kind: string;
            /**
             * Format: date-time
             * @description When the last activity in a session of the agent was. `null` if it never had one.
             */
            last_activity_at: string | null;
            /** @description What people see as the agent's name. */
            name: string;
            /** @description Whether the agent has an open event stream. */
            online: boolean;
            /**
             * Format: uuid
             * @description User id of the person who approved the agent, or created its first key.
             */
            owner_user_id: string | null;
            /** @description Whether the agent is paused. A paused agent can only read. */
            paused: boolean;
            /** @description Number of sessions in the state `running`. */
            running_sessions: number;
            /** @description What the agent may spend in a calendar month (UTC), in US dollars. `null`: no cap. */
            spend_cap_usd: number | null;
            /**
             * Format: date-time
             * @description When people last changed the agent.
             */
            updated_at: string;
        };
        AgentAnswers: {
            /** @description Comments that people wrote on the issue since the question, oldest first; 20 at most. */
            answers: {
                /**
                 * Format: uuid
                 * @description User id of the person who answered.
                 */
                author_id: string;
                /** @description Name of that person. `null` if they have none. */
                author_name: string | null;
                /** @description The answer, as Markdown: its first 4,000 characters. */
                body_md: string;
                /**
                 * Format: uuid
                 * @description Comment on the issue in which the person wrote the answer.
                 */
                comment_id: string;
                /**
                 * Format: date-time
                 * @description When the answer was written.
                 */
                created_at: string;
                /** @description The option of the question that was chosen. `null` if the answer is none of them. */
                option: string | null;
            }[];
            /**
             * Format: date-time
             * @description When the session last asked. `null` if it never did.
             */
            asked_at: string | null;
            /** @description Text of the question. `null` if the session does not wait for an answer. */
            question: string | null;
            /**
             * Format: uuid
             * @description Identifies the session for good. A UUIDv7: later ones sort after earlier ones.
             */
            session_id: string;
            /**
             * @description State of the session. `needs_input`: the agent waits for an answer. `review`: the result is ready to be looked at.
             * @enum {string}
             */
            state: "running" | "needs_input" | "review" | "done" | "failed" | "cancelled";
        };
        AgentDetail: {
            /**
             * Format: uuid
             * @description Identifies the agent. Use it as an assignee and in `agent_id` of sessions.
             */
            agent_id: string;
            /** @description Part of the input tokens that the model read from its cache, at a lower price. `null` if none were reported. */
            cached_tokens: number | null;
            /** @description OAuth client that acts as the agent. `null` if it uses an API key. */
            client_id: string | null;
            /** @description Costs of all sessions, in US dollars. `null` if none were reported. */
            cost_total: number | null;
            /**
             * Format: date-time
             * @description When the agent was created.
             */
            created_at: string;
            /**
             * @description How the agent authenticates: a grant that a person approved, or an API key.
             * @enum {string}
             */
            credential: "oauth" | "key";
            /** @description What the agent is for. `null` if nobody said. */
            description: string | null;
            /** @description Fields of issues that the agent may change: names of the fields of PATCH, `status` (also by a transition), `assignee` (also `assignee_ids`), `custom_fields` or `custom_field:<id>`. `null` if it may change all. */
            field_policy: string[] | null;
            /** @description Texts can mention the agent as `@` and this. `null` if it has none. */
            handle: string | null;
            /**
             * Format: uuid
             * @description Identifies the agent for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the newest credential expires. `null` if never.
             */
            key_expires_at: string | null;
            /**
             * Format: date-time
             * @description When the newest credential was last used. `null` if never.
             */
            key_last_used_at: string | null;
            /** @description First characters of the agent's newest credential. `null` if it has none. */
            key_prefix: string | null;
            /** @description Whether all of the agent's credentials are revoked or expired. */
            key_revoked: boolean;
            /** @description Scopes of the newest credential. Empty if it has none. */
            key_scopes: string[];
            /** @description Provider of the agent, such as `claude`. `custom` if not known. */
            kind: string;
            /**
             * Format: date-time
             * @description When the last activity in a session of the agent was. `null` if it never had one.
             */
            last_activity_at: string | null;
            /** @description What people see as the agent's name. */
            name: string;
            /** @description Whether the agent has an open event stream. */
            online: boolean;
            /**
             * Format: uuid
             * @description User id of the person who approved the agent, or created its first key.
             */
            owner_user_id: string | null;
            /** @description Whether the agent is paused. A paused agent can only read. */
            paused: boolean;
            /** @description Number of open issues that are assigned to the agent, themselves or by a stage of their workflow, and that it has not begun since. At most 1,000. */
            pending_sessions: number;
            /** @description Number of sessions in the state `running`. */
            running_sessions: number;
            /** @description Costs of the current month. */
            spend: {
                /** @description Whether the cap is reached. */
                over_cap: boolean;
                /**
                 * @description After which time the cap starts again at zero, by UTC.
                 * @constant
                 */
                period: "month";
                /** @description Costs in the period, in US dollars. */
                period_usd: number;
                /** @description What is left of the cap, in US dollars. `null`: no cap. */
                remaining_usd: number | null;
                /**
                 * Format: date-time
                 * @description When the next period begins.
                 */
                resets_at: string;
            };
            /**
             * @description What happens at the cap. `alert`: people are told. `block`: also, the agent cannot start sessions until the next month.
             * @enum {string}
             */
            spend_cap_action: "alert" | "block";
            /** @description What the agent may spend in a calendar month (UTC), in US dollars. `null`: no cap. */
            spend_cap_usd: number | null;
            /** @description Input tokens of all sessions. `null` if none were reported. */
            tokens_in: number | null;
            /** @description Output tokens of all sessions. `null` if none were reported. */
            tokens_out: number | null;
            /** @description Number of sessions, including those that have ended. */
            total_sessions: number;
            /**
             * Format: date-time
             * @description When people last changed the agent.
             */
            updated_at: string;
            /** @description How many reports of tokens and cost the totals contain. */
            usage_reports: number;
        };
        AgentEvent: {
            /** @description Who did it. */
            actor: {
                /**
                 * Format: uuid
                 * @description Id of the person or agent. `null` if it was neither.
                 */
                id: string | null;
                /**
                 * @description What kind of actor it was.
                 * @enum {string}
                 */
                kind: "user" | "agent" | "automation" | "workflow" | "form" | "integration" | "system";
                /** @description What people see as the actor's name, as it was then. `null` if it has none. */
                name: string | null;
            };
            /** @description What it was done through. */
            cause: {
                /**
                 * Format: uuid
                 * @description The session in which an agent made the change. `null` if it was not made in one.
                 */
                agent_session_id: string | null;
                /**
                 * Format: uuid
                 * @description The automation that made the change. `null` if none did.
                 */
                automation_id: string | null;
                /**
                 * Format: uuid
                 * @description The workflow run that made the change. `null` if none did.
                 */
                workflow_run_id: string | null;
            };
            /** @description Names of the changed fields. Only for changes. */
            changed?: string[];
            /** @description What the event means for the agent; its fields depend on `type`. */
            context: {
                [key: string]: unknown;
            };
            /** @description The object, as GET answered it at that moment. Of a deleted object its last state. */
            data: unknown;
            /**
             * Format: uuid
             * @description Id of the event. A second frame about the same event has another one.
             */
            id: string;
            /** @description Old values of the changed fields. Only for changes. */
            previous?: {
                [key: string]: unknown;
            };
            /** @description Whether the event had been stored when the stream began. */
            replayed: boolean;
            /** @description Number of the frame among those of the agent that are stored. `null` for one that cannot be replayed. */
            sequence: number | null;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description The message would be larger than 256 KiB, so long texts are cut, or `data` has nothing but its `id`. Else absent.
             * @constant
             */
            truncated?: true;
            /** @description Name of the event. Ignore names that you do not know: new ones are added. */
            type: string;
            /** @description Where it happened. A receiver for several workspaces tells them apart by it. */
            workspace: {
                /**
                 * Format: uuid
                 * @description Identifies the workspace, also when its slug changes.
                 */
                id: string;
                /** @description Names the workspace in the paths of calls, as of now. */
                slug: string;
            };
        };
        AgentPatchInput: {
            /** @description What the agent is for. `null` if nobody said. */
            description?: string | null;
            /** @description Fields of issues that the agent may change: names of the fields of PATCH, `status` (also by a transition), `assignee` (also `assignee_ids`), `custom_fields` or `custom_field:<id>`. `null` if it may change all. */
            field_policy?: string[] | null;
            /** @description Texts can mention the agent as `@` and this. Unique in the workspace. */
            handle?: string;
            /** @description Provider of the agent, such as `claude`. `custom` if not known. */
            kind?: string;
            /** @description What people see as the agent's name. */
            name?: string;
            /** @description `true` pauses the agent: from its next call it can only read. `false` lets it go on. */
            paused?: boolean;
            /**
             * @description What happens at the cap. `alert`: people are told. `block`: also, the agent cannot start sessions until the next month.
             * @enum {string}
             */
            spend_cap_action?: "alert" | "block";
            /** @description What the agent may spend in a calendar month (UTC), in US dollars. `null`: no cap. */
            spend_cap_usd?: number | null;
        };
        AgentSession: {
            /**
             * Format: uuid
             * @description User id of the agent. For a session of a person: the person's user id.
             */
            agent_id: string;
            /** @description Provider of the agent, such as `claude`. `custom` if not known. */
            agent_kind: string;
            /** @description Name of the agent or person; empty if a person has none. */
            agent_name: string;
            /** @description Branch that the agent works on. `null` if not known. */
            branch: string | null;
            /** @description Costs of the last hour, per hour. `null` if not known. */
            burn_rate_usd_per_hour: number | null;
            /** @description Part of the input tokens that the model read from its cache, at a lower price. `null` if none were reported. */
            cached_tokens: number | null;
            /** @description Whether the session claims the issue while it is open, so that no other session can. */
            claim: boolean;
            /**
             * Format: uuid
             * @description User id of the agent or person whose open session has claimed the issue. `null` if none has.
             */
            claimed_by: string | null;
            /** @description Whether part of `cost_usd` is an estimate from tokens. */
            cost_estimated: boolean;
            /** @description Costs that were reported or estimated, in US dollars. `null` if not known. */
            cost_usd: number | null;
            /**
             * Format: date-time
             * @description When the session became done, failed or cancelled. `null` while it is open.
             */
            ended_at: string | null;
            /** @description Why the session failed. `null` if it has not, or if the agent has not said. */
            error: string | null;
            /** @description Whether a call to start a session returned one that was open already. */
            existing: boolean;
            /** @description Address of the pull request or other result. `null` if there is none yet. */
            external_url: string | null;
            /**
             * Format: uuid
             * @description Identifies the session for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the issue that the session works on. `null` if none.
             */
            issue_id: string | null;
            /** @description The issue of `issue_id` as `KEY-N`. `null` if there is none. */
            issue_key: string | null;
            /**
             * Format: date-time
             * @description When the agent last said anything. Every PATCH counts.
             */
            last_activity_at: string;
            /** @description Model that the agent uses. `null` if not known. */
            model: string | null;
            /**
             * Format: date-time
             * @description When the agent last asked for input. `null` if it never did.
             */
            needs_input_at: string | null;
            /** @description What the agent does at the moment. `null` if it has not said. */
            note: string | null;
            /** @description Ids of other agents' open sessions on the issue. */
            other_open_session_ids: string[];
            /** @description Steps of the agent's plan. */
            plan: {
                /**
                 * @description How far it is.
                 * @enum {string}
                 */
                status: "pending" | "in_progress" | "completed";
                /** @description What is to be done. */
                text: string;
            }[];
            /** @description What the agent asks. `null` unless the state is `needs_input`. */
            question: {
                /** @description Answers to choose from. Empty if any answer is fine. */
                options: string[];
                /** @description What the agent wants to know. People see it and answer it. */
                text: string;
            } | null;
            /** @description How often the session was continued after its end. */
            reopened: number;
            /**
             * Format: date-time
             * @description When the result was last ready for review. `null` if it never was.
             */
            review_at: string | null;
            /** @description Whether the session is open and the agent has been silent for 30 minutes. */
            stalled: boolean;
            /**
             * Format: date-time
             * @description When the session was started.
             */
            started_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who started the session.
             */
            started_by: string;
            /**
             * @description State of the session. `needs_input`: the agent waits for an answer. `review`: the result is ready to be looked at.
             * @enum {string}
             */
            state: "running" | "needs_input" | "review" | "done" | "failed" | "cancelled";
            /** @description Why the service changed the state. `null` if the agent or a person did. */
            state_reason: string | null;
            /** @description What was done. `null` if the agent has not said. */
            summary: string | null;
            /** @description What the session is about, in one line. */
            title: string;
            /** @description Input tokens that were reported. `null` if none were. */
            tokens_in: number | null;
            /** @description Output tokens that were reported. `null` if none were. */
            tokens_out: number | null;
            /** @description Whether the session is done or in review, but has no `external_url`, and the agent has not commented on the issue since its start. */
            unverified: boolean;
            /**
             * Format: date-time
             * @description When the session was last changed.
             */
            updated_at: string;
            /** @description How many reports of tokens and cost the session's totals contain. */
            usage_reports: number;
            /**
             * Format: uuid
             * @description Id of the workflow run that the session works for. `null` if none.
             */
            workflow_run_id: string | null;
        };
        AgentSessionCreateInput: {
            /** @description User id of the agent. An agent's key acts as the agent itself; people name an agent that they own, or leave it out for a session of their own. */
            agent_id?: string;
            /** @description Branch that the agent works on. `null` if not known. */
            branch?: string | null;
            /** @description Whether to claim the issue, so that no other session can while this one is open. Always so with `issue_key: "next"`. */
            claim?: boolean;
            /** @description Address of the pull request or other result. `null` if there is none yet. */
            external_url?: string | null;
            /** @description With `issue_key: "next"`: which issues to choose from, with the filters of the list of issues. */
            filter?: {
                /** @description Only issues assigned to one of these: user ids, e-mail addresses, `me` or `none`, comma-separated. */
                assignee?: string;
                /** @description Only issues with one of these values in a custom field, comma-separated: `customFields.Budget=10..20` or `customFields[Budget]=10..20`, with the field's name (ignoring case) or id. Options, texts and addresses match as a whole, ignoring case. Numbers and days may be ranges: `10..20`, `10..` or `..20`, with both ends. Users are ids, e-mail addresses or `me`; projects are ids or keys; docs are ids; checkboxes are `true` or `false`. `none`: issues whose type has the field, but that have no value. */
                customFields?: {
                    [key: string]: string;
                };
                /** @description Only issues that are due before this day or instant. An issue that is due on the day itself is not among them. */
                due_before?: string;
                /** @description Only issues of these epics: keys or ids, comma-separated. `none` for issues without one. */
                epic?: string;
                /** @description Only issues with one of these labels: ids, names or `none`, comma-separated. Write a comma in a name as `\,`. */
                label?: string;
                /** @description Only issues of one of these milestones: ids or `none`, comma-separated. */
                milestone?: string;
                /** @description Only child issues of these: keys or ids, comma-separated. `none` for top-level issues. */
                parent?: string;
                /** @description Only issues with one of these priorities, comma-separated. */
                priority?: string;
                /** @description Only issues with these words, or words that begin with them, in key, title or description. `"two words"` is a phrase, and `-word` leaves out. The address of an issue finds it. */
                q?: string;
                /** @description Only issues of one of these releases: ids or `none`, comma-separated. */
                release?: string;
                /** @description Only issues reported by one of these: user ids, e-mail addresses or `me`, comma-separated. */
                reporter?: string;
                /** @description Only issues in one of these sprints: ids, `active` or `none`, comma-separated. */
                sprint?: string;
                /** @description Only issues with one of these categories, column ids or column names, comma-separated. A column with exactly this name comes before a category, and a category before a name in another case. */
                status?: string;
                /** @description Only issues of one of these types, comma-separated. */
                type?: string;
                /** @description Only issues that were last changed at this instant or later. */
                updated_since?: string;
            } | null;
            /** @description Id or key of the issue to work on. Send it or `issue_key`. */
            issue_id?: string | null;
            /** @description Key or id of the issue to work on, or `next` for the first issue of `project` that is ready. */
            issue_key?: string | null;
            /** @description Model that the agent uses. `null` if not known. */
            model?: string | null;
            /** @description What the agent does at the moment. `null` if it has not said. */
            note?: string | null;
            /** @description Key, slug or id of the project to work in. Required with `issue_key: "next"`; otherwise it follows from the issue. */
            project?: string | null;
            /** @description What the session is about, in one line. */
            title: string;
            /** @description Id of the workflow run that the session works for. `null` if none. */
            workflow_run_id?: string | null;
        };
        AgentSessionDetail: {
            /**
             * Format: uuid
             * @description User id of the agent. For a session of a person: the person's user id.
             */
            agent_id: string;
            /** @description Provider of the agent, such as `claude`. `custom` if not known. */
            agent_kind: string;
            /** @description Name of the agent or person; empty if a person has none. */
            agent_name: string;
            /** @description Comments that people wrote on the issue since the last question, oldest first; 20 at most. `null` for credentials without the scope `comments:read`. */
            answers: {
                /**
                 * Format: uuid
                 * @description User id of the person who answered.
                 */
                author_id: string;
                /** @description Name of that person. `null` if they have none. */
                author_name: string | null;
                /** @description The answer, as Markdown: its first 4,000 characters. */
                body_md: string;
                /**
                 * Format: uuid
                 * @description Comment on the issue in which the person wrote the answer.
                 */
                comment_id: string;
                /**
                 * Format: date-time
                 * @description When the answer was written.
                 */
                created_at: string;
                /** @description The option of the question that was chosen. `null` if the answer is none of them. */
                option: string | null;
            }[] | null;
            /** @description Branch that the agent works on. `null` if not known. */
            branch: string | null;
            /** @description Costs of the last hour, per hour. `null` if not known. */
            burn_rate_usd_per_hour: number | null;
            /** @description Part of the input tokens that the model read from its cache, at a lower price. `null` if none were reported. */
            cached_tokens: number | null;
            /** @description Whether the session claims the issue while it is open, so that no other session can. */
            claim: boolean;
            /**
             * Format: uuid
             * @description User id of the agent or person whose open session has claimed the issue. `null` if none has.
             */
            claimed_by: string | null;
            /** @description Whether part of `cost_usd` is an estimate from tokens. */
            cost_estimated: boolean;
            /** @description Costs that were reported or estimated, in US dollars. `null` if not known. */
            cost_usd: number | null;
            /**
             * Format: date-time
             * @description When the session became done, failed or cancelled. `null` while it is open.
             */
            ended_at: string | null;
            /** @description Why the session failed. `null` if it has not, or if the agent has not said. */
            error: string | null;
            /** @description Whether a call to start a session returned one that was open already. */
            existing: boolean;
            /** @description Address of the pull request or other result. `null` if there is none yet. */
            external_url: string | null;
            /**
             * Format: uuid
             * @description Identifies the session for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the issue that the session works on. `null` if none.
             */
            issue_id: string | null;
            /** @description The issue of `issue_id` as `KEY-N`. `null` if there is none. */
            issue_key: string | null;
            /**
             * Format: date-time
             * @description When the agent last said anything. Every PATCH counts.
             */
            last_activity_at: string;
            /** @description Model that the agent uses. `null` if not known. */
            model: string | null;
            /**
             * Format: date-time
             * @description When the agent last asked for input. `null` if it never did.
             */
            needs_input_at: string | null;
            /** @description What the agent does at the moment. `null` if it has not said. */
            note: string | null;
            /** @description Ids of other agents' open sessions on the issue. */
            other_open_session_ids: string[];
            /** @description Steps of the agent's plan. */
            plan: {
                /**
                 * @description How far it is.
                 * @enum {string}
                 */
                status: "pending" | "in_progress" | "completed";
                /** @description What is to be done. */
                text: string;
            }[];
            /** @description What the agent asks. `null` unless the state is `needs_input`. */
            question: {
                /** @description Answers to choose from. Empty if any answer is fine. */
                options: string[];
                /** @description What the agent wants to know. People see it and answer it. */
                text: string;
            } | null;
            /** @description How often the session was continued after its end. */
            reopened: number;
            /**
             * Format: date-time
             * @description When the result was last ready for review. `null` if it never was.
             */
            review_at: string | null;
            /** @description Whether the session is open and the agent has been silent for 30 minutes. */
            stalled: boolean;
            /**
             * Format: date-time
             * @description When the session was started.
             */
            started_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who started the session.
             */
            started_by: string;
            /**
             * @description State of the session. `needs_input`: the agent waits for an answer. `review`: the result is ready to be looked at.
             * @enum {string}
             */
            state: "running" | "needs_input" | "review" | "done" | "failed" | "cancelled";
            /** @description Why the service changed the state. `null` if the agent or a person did. */
            state_reason: string | null;
            /** @description What was done. `null` if the agent has not said. */
            summary: string | null;
            /** @description What the session is about, in one line. */
            title: string;
            /** @description Input tokens that were reported. `null` if none were. */
            tokens_in: number | null;
            /** @description Output tokens that were reported. `null` if none were. */
            tokens_out: number | null;
            /** @description Whether the session is done or in review, but has no `external_url`, and the agent has not commented on the issue since its start. */
            unverified: boolean;
            /**
             * Format: date-time
             * @description When the session was last changed.
             */
            updated_at: string;
            /** @description How many reports of tokens and cost the session's totals contain. */
            usage_reports: number;
            /**
             * Format: uuid
             * @description Id of the workflow run that the session works for. `null` if none.
             */
            workflow_run_id: string | null;
        };
        AgentSessionPatchInput: {
            /** @description User id of the agent. An agent's key acts as the agent itself; people name an agent that they own, or leave it out for a session of their own. */
            agent_id?: string;
            /** @description Branch that the agent works on. `null` if not known. */
            branch?: string | null;
            /** @description Why the session failed. `null` if it has not, or if the agent has not said. */
            error?: string | null;
            /** @description Address of the pull request or other result. `null` if there is none yet. */
            external_url?: string | null;
            /** @description What the agent does at the moment. `null` if it has not said. */
            note?: string | null;
            /** @description Steps of the agent's plan. */
            plan?: {
                /**
                 * @description How far it is. Default: `pending`.
                 * @enum {string}
                 */
                status?: "pending" | "in_progress" | "completed";
                /** @description What is to be done. */
                text: string;
            }[];
            /** @description What the agent asks. `null` unless the state is `needs_input`. */
            question?: {
                /** @description Answers to choose from. Empty if any answer is fine. Default: `[]`. */
                options?: string[];
                /** @description What the agent wants to know. People see it and answer it. */
                text: string;
            } | null;
            /**
             * @description State of the session. `needs_input`: the agent waits for an answer. `review`: the result is ready to be looked at.
             * @enum {string}
             */
            state?: "running" | "needs_input" | "review" | "done" | "failed" | "cancelled";
            /** @description What was done. `null` if the agent has not said. */
            summary?: string | null;
            /** @description What the session is about, in one line. */
            title?: string;
        };
        /** @description An event of an agent's stream. Ignore names that you do not know. */
        AgentStreamFrame: {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["AgentStreamReady"];
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "stream.ready";
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["AgentEvent"] & ({
                /**
                 * @description The same as `event`.
                 * @constant
                 */
                type: "issue.assigned";
            } & {
                [key: string]: unknown;
            });
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "issue.assigned";
            /**
             * Format: uuid
             * @description Send it as `Last-Event-ID` to resume after this event. Absent if the event is not stored.
             */
            id?: string;
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["AgentEvent"] & ({
                /**
                 * @description The same as `event`.
                 * @constant
                 */
                type: "issue.unassigned";
            } & {
                [key: string]: unknown;
            });
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "issue.unassigned";
            /**
             * Format: uuid
             * @description Send it as `Last-Event-ID` to resume after this event. Absent if the event is not stored.
             */
            id?: string;
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["AgentEvent"] & ({
                /**
                 * @description The same as `event`.
                 * @constant
                 */
                type: "mention.created";
            } & {
                [key: string]: unknown;
            });
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "mention.created";
            /**
             * Format: uuid
             * @description Send it as `Last-Event-ID` to resume after this event. Absent if the event is not stored.
             */
            id?: string;
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["AgentEvent"] & ({
                /**
                 * @description The same as `event`.
                 * @constant
                 */
                type: "agent_session.created";
            } & {
                [key: string]: unknown;
            });
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "agent_session.created";
            /**
             * Format: uuid
             * @description Send it as `Last-Event-ID` to resume after this event. Absent if the event is not stored.
             */
            id?: string;
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["AgentEvent"] & ({
                /**
                 * @description The same as `event`.
                 * @constant
                 */
                type: "agent_session.state_changed";
            } & {
                [key: string]: unknown;
            });
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "agent_session.state_changed";
            /**
             * Format: uuid
             * @description Send it as `Last-Event-ID` to resume after this event. Absent if the event is not stored.
             */
            id?: string;
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["AgentEvent"] & ({
                /**
                 * @description The same as `event`.
                 * @constant
                 */
                type: "agent_session.updated";
            } & {
                [key: string]: unknown;
            });
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "agent_session.updated";
            /**
             * Format: uuid
             * @description Send it as `Last-Event-ID` to resume after this event. Absent if the event is not stored.
             */
            id?: string;
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["AgentEvent"] & ({
                /**
                 * @description The same as `event`.
                 * @constant
                 */
                type: "agent_session.input";
            } & {
                [key: string]: unknown;
            });
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "agent_session.input";
            /**
             * Format: uuid
             * @description Send it as `Last-Event-ID` to resume after this event. Absent if the event is not stored.
             */
            id?: string;
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["AgentEvent"] & ({
                /**
                 * @description The same as `event`.
                 * @constant
                 */
                type: "agent.wake";
            } & {
                [key: string]: unknown;
            });
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "agent.wake";
            /**
             * Format: uuid
             * @description Send it as `Last-Event-ID` to resume after this event. Absent if the event is not stored.
             */
            id?: string;
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["AgentEvent"] & ({
                /**
                 * @description The same as `event`.
                 * @constant
                 */
                type: "workflow.stage_activated";
            } & {
                [key: string]: unknown;
            });
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "workflow.stage_activated";
            /**
             * Format: uuid
             * @description Send it as `Last-Event-ID` to resume after this event. Absent if the event is not stored.
             */
            id?: string;
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["AgentEvent"] & ({
                /**
                 * @description The same as `event`.
                 * @constant
                 */
                type: "workflow.stage_cancelled";
            } & {
                [key: string]: unknown;
            });
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "workflow.stage_cancelled";
            /**
             * Format: uuid
             * @description Send it as `Last-Event-ID` to resume after this event. Absent if the event is not stored.
             */
            id?: string;
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["AgentEvent"] & ({
                /**
                 * @description The same as `event`.
                 * @constant
                 */
                type: "agent.paused";
            } & {
                [key: string]: unknown;
            });
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "agent.paused";
            /**
             * Format: uuid
             * @description Send it as `Last-Event-ID` to resume after this event. Absent if the event is not stored.
             */
            id?: string;
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["AgentEvent"] & ({
                /**
                 * @description The same as `event`.
                 * @constant
                 */
                type: "agent.resumed";
            } & {
                [key: string]: unknown;
            });
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "agent.resumed";
            /**
             * Format: uuid
             * @description Send it as `Last-Event-ID` to resume after this event. Absent if the event is not stored.
             */
            id?: string;
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["AgentEvent"] & ({
                /**
                 * @description The same as `event`.
                 * @constant
                 */
                type: "agent.spend_warning";
            } & {
                [key: string]: unknown;
            });
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "agent.spend_warning";
            /**
             * Format: uuid
             * @description Send it as `Last-Event-ID` to resume after this event. Absent if the event is not stored.
             */
            id?: string;
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["AgentEvent"] & ({
                /**
                 * @description The same as `event`.
                 * @constant
                 */
                type: "agent.spend_cap_reached";
            } & {
                [key: string]: unknown;
            });
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "agent.spend_cap_reached";
            /**
             * Format: uuid
             * @description Send it as `Last-Event-ID` to resume after this event. Absent if the event is not stored.
             */
            id?: string;
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["AgentEvent"] & ({
                /**
                 * @description The same as `event`.
                 * @constant
                 */
                type: "chat.message.created";
            } & {
                [key: string]: unknown;
            });
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "chat.message.created";
            /**
             * Format: uuid
             * @description Send it as `Last-Event-ID` to resume after this event. Absent if the event is not stored.
             */
            id?: string;
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["StreamEnd"];
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "stream.closing";
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["StreamEnd"];
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "stream.closed";
        };
        AgentStreamReady: {
            /**
             * Format: uuid
             * @description Agent whose key opened the stream.
             */
            agent_id: string;
            /** @description Whether `since` was more than 24 hours ago, so that older events are not replayed. */
            clamped: boolean;
            /** @description Whether the event of `Last-Event-ID` is not stored, so that events may be missing. */
            gap: boolean;
            /** @description How many stored events come first. */
            replay_count: number;
            /**
             * Format: date-time
             * @description When the stream began, by the clock of the server.
             */
            server_time: string;
            /**
             * Format: date-time
             * @description The time from which stored events are replayed. `null` if none are, or an event decides it.
             */
            since: string | null;
        };
        AgentUsage: {
            /**
             * Format: uuid
             * @description User id of the agent. For a session of a person: the person's user id.
             */
            agent_id: string;
            /** @description Provider of the agent, such as `claude`. `custom` if not known. */
            agent_kind: string;
            /** @description Name of the agent or person; empty if a person has none. */
            agent_name: string;
            /** @description Branch that the agent works on. `null` if not known. */
            branch: string | null;
            /** @description Costs of the last hour, per hour. `null` if not known. */
            burn_rate_usd_per_hour: number | null;
            /** @description Part of the input tokens that the model read from its cache, at a lower price. `null` if none were reported. */
            cached_tokens: number | null;
            /** @description Whether the session claims the issue while it is open, so that no other session can. */
            claim: boolean;
            /**
             * Format: uuid
             * @description User id of the agent or person whose open session has claimed the issue. `null` if none has.
             */
            claimed_by: string | null;
            /** @description Whether part of `cost_usd` is an estimate from tokens. */
            cost_estimated: boolean;
            /** @description Costs that were reported or estimated, in US dollars. `null` if not known. */
            cost_usd: number | null;
            /**
             * Format: date-time
             * @description When the session became done, failed or cancelled. `null` while it is open.
             */
            ended_at: string | null;
            /** @description Why the session failed. `null` if it has not, or if the agent has not said. */
            error: string | null;
            /** @description Whether a call to start a session returned one that was open already. */
            existing: boolean;
            /** @description Address of the pull request or other result. `null` if there is none yet. */
            external_url: string | null;
            /**
             * Format: uuid
             * @description Identifies the session for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the issue that the session works on. `null` if none.
             */
            issue_id: string | null;
            /** @description The issue of `issue_id` as `KEY-N`. `null` if there is none. */
            issue_key: string | null;
            /**
             * Format: date-time
             * @description When the agent last said anything. Every PATCH counts.
             */
            last_activity_at: string;
            /** @description Model that the agent uses. `null` if not known. */
            model: string | null;
            /**
             * Format: date-time
             * @description When the agent last asked for input. `null` if it never did.
             */
            needs_input_at: string | null;
            /** @description What the agent does at the moment. `null` if it has not said. */
            note: string | null;
            /** @description Ids of other agents' open sessions on the issue. */
            other_open_session_ids: string[];
            /** @description Steps of the agent's plan. */
            plan: {
                /**
                 * @description How far it is.
                 * @enum {string}
                 */
                status: "pending" | "in_progress" | "completed";
                /** @description What is to be done. */
                text: string;
            }[];
            /** @description What the agent asks. `null` unless the state is `needs_input`. */
            question: {
                /** @description Answers to choose from. Empty if any answer is fine. */
                options: string[];
                /** @description What the agent wants to know. People see it and answer it. */
                text: string;
            } | null;
            /** @description How often the session was continued after its end. */
            reopened: number;
            /**
             * Format: date-time
             * @description When the result was last ready for review. `null` if it never was.
             */
            review_at: string | null;
            /** @description Costs of the agent in the current month. `null` for a session of a person. */
            spend: {
                /** @description Whether the cap is reached. */
                over_cap: boolean;
                /**
                 * @description After which time the cap starts again at zero, by UTC.
                 * @constant
                 */
                period: "month";
                /** @description Costs in the period, in US dollars. */
                period_usd: number;
                /** @description What is left of the cap, in US dollars. `null`: no cap. */
                remaining_usd: number | null;
                /**
                 * Format: date-time
                 * @description When the next period begins.
                 */
                resets_at: string;
            } | null;
            /** @description Whether the session is open and the agent has been silent for 30 minutes. */
            stalled: boolean;
            /**
             * Format: date-time
             * @description When the session was started.
             */
            started_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who started the session.
             */
            started_by: string;
            /**
             * @description State of the session. `needs_input`: the agent waits for an answer. `review`: the result is ready to be looked at.
             * @enum {string}
             */
            state: "running" | "needs_input" | "review" | "done" | "failed" | "cancelled";
            /** @description Why the service changed the state. `null` if the agent or a person did. */
            state_reason: string | null;
            /** @description What was done. `null` if the agent has not said. */
            summary: string | null;
            /** @description What the session is about, in one line. */
            title: string;
            /** @description Input tokens that were reported. `null` if none were. */
            tokens_in: number | null;
            /** @description Output tokens that were reported. `null` if none were. */
            tokens_out: number | null;
            /** @description The turn as it was stored. For a turn that was reported before: the first report. */
            turn: {
                /** @description Costs of the turn in US dollars. `null` if not known. */
                cost_usd: number | null;
                /** @description Name in the price table that the model's name begins with. `null` unless the costs are estimated. */
                price_match: string | null;
                /**
                 * @description Where the costs come from. `reported`: they were sent. `estimated`: from tokens and the price of the model. `none`: they are not known.
                 * @enum {string}
                 */
                source: "reported" | "estimated" | "none";
            };
            /** @description Whether the session is done or in review, but has no `external_url`, and the agent has not commented on the issue since its start. */
            unverified: boolean;
            /**
             * Format: date-time
             * @description When the session was last changed.
             */
            updated_at: string;
            /** @description How many reports of tokens and cost the session's totals contain. */
            usage_reports: number;
            /**
             * Format: uuid
             * @description Id of the workflow run that the session works for. `null` if none.
             */
            workflow_run_id: string | null;
        };
        AgentUsageInput: {
            /** @description User id of the session's agent, as a check. */
            agent_id?: string | null;
            /** @description Input tokens that were written to a cache. */
            cache_write_tokens?: number | null;
            /** @description Part of the input tokens that the model read from its cache, at a lower price. */
            cached_tokens?: number | null;
            /** @description Costs of the turn in US dollars, of which six decimal places count. Without it, they are estimated from tokens and model. */
            cost_usd?: number | null;
            /** @description Model that was used. Without it, the session's newest one counts. */
            model?: string | null;
            /** @description All tokens of the turn, of which 80 % count as input; or an object with each kind. Send it or `tokens_in` and `tokens_out`. */
            tokens?: number | {
                /** @description Part of the input tokens that the model read from its cache, at a lower price. */
                cache_read?: number | null;
                /** @description Input tokens that were written to a cache. */
                cache_write?: number | null;
                /** @description All input tokens of the turn. */
                input?: number | null;
                /** @description Tokens that the model produced in the turn, reasoning included. */
                output?: number | null;
            } | null;
            /** @description Input tokens of the turn. Those that were read from or written to a cache are part of them. */
            tokens_in?: number | null;
            /** @description Tokens that the model produced in the turn, reasoning included. */
            tokens_out?: number | null;
            /** @description Your id of the turn. If the session has a report with it already, this one changes nothing. */
            turn_id?: string | null;
        };
        ApiKey: {
            /**
             * Format: uuid
             * @description User id of the agent that the key acts as. `null` if it acts for a person.
             */
            agent_id: string | null;
            /**
             * Format: date-time
             * @description When the key was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person who created the key.
             */
            created_by: string;
            /** @description Requests per minute that the key may make, with the default applied. */
            effective_rate_limit: number;
            /**
             * Format: date-time
             * @description When the key expires. `null` if never.
             */
            expires_at: string | null;
            /**
             * Format: uuid
             * @description Identifies the key for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * @description Whom the key acts for: a `workspace` key for its creator, an `agent` key as an agent.
             * @enum {string}
             */
            kind: "workspace" | "agent" | "personal" | "oauth";
            /** @description The key's last four characters, to recognise it by. The rest cannot be read again. */
            last_four: string;
            /**
             * Format: date-time
             * @description When the key was last used. `null` if never.
             */
            last_used_at: string | null;
            /** @description Network address that last used the key. `null` if never used. */
            last_used_ip: string | null;
            /** @description Name of the key, for people. */
            name: string;
            /** @description First characters of the key, to recognise it by. */
            prefix: string;
            /** @description Ids of the projects that the key is limited to. `null` if it is not limited. */
            project_ids: string[] | null;
            /** @description Requests per minute. `null` for the default of the service. */
            rate_limit_per_minute: number | null;
            /** @description Why the key was revoked. `null` if not revoked or no reason was given. */
            revoke_reason: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked. `null` if it was not.
             */
            revoked_at: string | null;
            /** @description What the key may do: bundles (`read`, `write`, `admin`), fine scopes or both. */
            scopes: string[];
            /**
             * @description Whether the key can be used.
             * @enum {string}
             */
            state: "active" | "revoked" | "expired";
            /**
             * Format: date-time
             * @description When the key was last changed.
             */
            updated_at: string;
        };
        ApiKeyCreateInput: {
            /** @description User id of the agent that the key acts as. `null` if it acts for you. */
            agent_id?: string | null;
            /** @description Provider of the new agent. If it is missing: guessed from the names, else `custom`. */
            agent_kind?: string | null;
            /** @description Name of a new agent for the key to act as, or of an agent of yours whose keys have all ended. Cannot be sent together with `agent_id`. */
            agent_name?: string | null;
            /** @description When the key expires: `YYYY-MM-DD` (midnight UTC) or a date-time with offset. `null` for never. */
            expires_at?: string | null;
            /** @description Fields of issues that the new agent may change. `null`: all. */
            field_policy?: string[] | null;
            /**
             * @description Kind of the key. Default: `agent` if an agent is named, else `workspace`.
             * @enum {string}
             */
            kind?: "workspace" | "agent";
            /** @description Name of the key, for people. */
            name: string;
            /** @description Projects to limit the key to, by id, key or slug. `null` for no limit. */
            project_ids?: string[] | null;
            /** @description Requests per minute. `null` for the default of the service. */
            rate_limit_per_minute?: number | null;
            /** @description What the key may do: bundles (`read`, `write`, `admin`), fine scopes or both. Default: `["read"]`. */
            scopes?: ("read" | "write" | "admin" | "search:read" | "workspaces:read" | "projects:read" | "issues:read" | "comments:read" | "attachments:read" | "labels:read" | "custom_fields:read" | "saved_views:read" | "docs:read" | "members:read" | "notifications:read" | "chat:read" | "forms:read" | "automations:read" | "portfolios:read" | "goals:read" | "agents:read" | "workflows:read" | "workflow.run" | "projects:write" | "issues:write" | "comments:write" | "attachments:write" | "labels:write" | "custom_fields:write" | "saved_views:write" | "docs:write" | "notifications:write" | "chat:write" | "goals:write" | "agents:write" | "projects:admin" | "audit:read" | "workspaces:write" | "members:write" | "forms:write" | "automations:write" | "portfolios:write" | "workflows:write" | "api_keys:read" | "api_keys:write" | "webhooks:read" | "webhooks:write" | "oauth_apps:read" | "oauth_apps:write")[];
            /** @description What the new agent may spend in a calendar month (UTC), in US dollars. `null`: no cap. */
            spend_cap_usd?: number | null;
        };
        ApiKeyPatchInput: {
            /** @description When the key expires: `YYYY-MM-DD` (midnight UTC) or a date-time with offset. `null` for never. */
            expires_at?: string | null;
            /** @description Name of the key, for people. */
            name?: string;
            /** @description Requests per minute. `null` for the default of the service. */
            rate_limit_per_minute?: number | null;
        };
        Attachment: {
            /** @description Exact size in bytes. It counts towards the plan's storage. */
            byte_size: number;
            /** @description SHA-256 of the file in hexadecimal, as announced and checked. `null` if none was announced. */
            checksum_sha256: string | null;
            /**
             * Format: uuid
             * @description Id of the comment that the file belongs to. `null` if it belongs to the issue only.
             */
            comment_id: string | null;
            /**
             * Format: date-time
             * @description When the attachment was created.
             */
            created_at: string;
            /** @description Name that a download is saved under. */
            file_name: string;
            /**
             * Format: uuid
             * @description Identifies the attachment for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the issue that the file is attached to.
             */
            issue_id: string;
            /** @description Media type of the file. Use `application/octet-stream` if you know no better. */
            mime: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who uploaded the file.
             */
            uploader_id: string;
            /** @description Address to download the file from until `url_expires_at`. `null` in events. */
            url: string | null;
            /**
             * Format: date-time
             * @description When `url` stops working. `null` in events.
             */
            url_expires_at: string | null;
        };
        AttachmentCommitInput: {
            /** @description Exact size in bytes. It counts towards the plan's storage. */
            byte_size: number;
            /** @description SHA-256 of the file in hexadecimal. If sent, the stored bytes are checked against it. */
            checksum_sha256?: string | null;
            /** @description Id of your comment on the issue that the file belongs to. `null` for none. */
            comment_id?: string | null;
            /** @description Name that a download is saved under. */
            file_name: string;
            /** @description Media type of the file. Use `application/octet-stream` if you know no better. */
            mime: string;
            /** @description `storage_key` from the reply that announced the upload. */
            storage_key: string;
        };
        AttachmentIntentInput: {
            /** @description Exact size in bytes. It counts towards the plan's storage. */
            byte_size: number;
            /** @description SHA-256 of the file in hexadecimal. If sent, the stored bytes are checked against it. */
            checksum_sha256?: string | null;
            /** @description Id of your comment on the issue that the file belongs to. `null` for none. */
            comment_id?: string | null;
            /** @description Name that a download is saved under. */
            file_name: string;
            /** @description Media type of the file. Use `application/octet-stream` if you know no better. */
            mime: string;
        };
        AuditEntry: {
            /** @description Who changed it. */
            actor: {
                /**
                 * Format: uuid
                 * @description Id of the person, agent, automation or workflow. `null` for the service and its operators.
                 */
                id: string | null;
                /**
                 * @description What kind of actor it was. `system` is the service, or an operator.
                 * @enum {string}
                 */
                kind: "user" | "agent" | "automation" | "workflow" | "form" | "integration" | "system";
                /** @description Name of the actor at that time. `null` if it had none. */
                name: string | null;
            };
            /**
             * Format: date-time
             * @description When it was changed.
             */
            at: string;
            /** @description What it was changed through. */
            cause: {
                /**
                 * Format: uuid
                 * @description The session in which an agent made the change. `null` if it was not made in one.
                 */
                agent_session_id: string | null;
                /**
                 * Format: uuid
                 * @description The automation that made the change. `null` if none did.
                 */
                automation_id: string | null;
                /** @description The `X-Request-Id` of the request. `null` if there was none. */
                request_id: string | null;
                /**
                 * Format: uuid
                 * @description The workflow run that made the change. `null` if none did.
                 */
                workflow_run_id: string | null;
            };
            /** @description Old and new value of each changed field. Fields of a new object have `null` as their old value. Texts are cut after 200 characters, long lists are shortened, and addresses of receivers are shown without their path. Secrets never appear. */
            changes: {
                [key: string]: unknown[];
            };
            /**
             * Format: uuid
             * @description Id of the entry. Ids sort by time.
             */
            id: string;
            /** @description Network of the client: the /24 of an IPv4 or the /48 of an IPv6 address. `null` if no client sent the change. */
            ip: string | null;
            /**
             * Format: uuid
             * @description Id of the API key or grant with which it was changed. `null` for people in a browser, and for the service itself.
             */
            key_id: string | null;
            /**
             * Format: uuid
             * @description Id of the project that the object belongs to. `null` if it belongs to none.
             */
            project_id: string | null;
            /** @description What was changed. */
            target: {
                /** @description Id of the object; of a member the user id. `null` if it has none. */
                id: string | null;
                /** @description Name of the object at that time. `null` if it had none. */
                name: string | null;
                /** @description What kind of object was changed. */
                type: string;
            };
            /** @description What happened. Types are added over time. */
            type: string;
            /** @description `User-Agent` of the client, up to 200 characters. `null` if it sent none. */
            user_agent: string | null;
        };
        Automation: {
            /** @description What the automation does, in order. Each action has its `type` and the parameters of this type, as they were sent. */
            actions: components["schemas"]["Action"][];
            /** @description Whether changes that were made by automations, workflows and woken agents start the automation too. */
            allow_chaining: boolean;
            /** @description What must apply to the issue and the event. `null`: nothing, the automation always runs. */
            conditions: components["schemas"]["Conditions"] | null;
            /**
             * Format: date-time
             * @description When the automation was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person with whose rights the automation acts: who created it, or an admin who enabled it again after that person had lost the rights.
             */
            created_by: string;
            /** @description What the automation is for. `null` if nothing is said. */
            description: string | null;
            /**
             * @description Why the automation does not run: disabled by a `user`, ten errors in a row (`failing`), three loops in an hour (`loop`), the limit of the `plan`, or its creator lacks the `rights`. `null` while it is enabled.
             * @enum {string|null}
             */
            disabled_reason: "user" | "failing" | "loop" | "plan" | "rights" | "credential_ended" | null;
            /** @description Whether the automation runs. */
            enabled: boolean;
            /** @description Number of runs that ended with `error` since `enabled: true` was last sent. */
            failure_count: number;
            /**
             * Format: uuid
             * @description Identifies the automation for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the automation last ran. `null` if it never has.
             */
            last_run_at: string | null;
            /** @description The last time the automation was started by a change that another automation, a workflow or a woken agent had made, and did not run. `null` if it never happened. */
            last_skipped: {
                /**
                 * Format: date-time
                 * @description When the automation was skipped.
                 */
                at: string;
                /** @description Why the automation was skipped. */
                reason: string;
            } | null;
            /** @description What people see as the automation's name, also in histories of issues that it changed. */
            name: string;
            /**
             * Format: date-time
             * @description For `schedule`: when the automation runs next. `null` for other triggers, and while it is disabled.
             */
            next_run_at: string | null;
            /**
             * @description Whether the run stops at the first action that fails, or continues with the next one.
             * @enum {string}
             */
            on_error: "stop" | "continue";
            /**
             * Format: uuid
             * @description Id of the project whose issues start the automation. `null`: all projects.
             */
            project_id: string | null;
            /** @description How often the automation ran, also in vain, since it was created. */
            run_count: number;
            /**
             * @description What starts the automation.
             * @enum {string}
             */
            trigger: "issue.created" | "issue.status_changed" | "issue.priority_changed" | "issue.assigned" | "issue.unassigned" | "comment.added" | "issue.updated" | "issue.archived" | "issue.labelled" | "issue.unblocked" | "issue.overdue" | "issue.due_soon" | "sprint.started" | "sprint.completed" | "release.released" | "milestone.completed" | "form.submitted" | "agent_session.state_changed" | "workflow_run.finished" | "schedule";
            /** @description Parameters of the trigger. Each trigger takes only its own. */
            trigger_config: {
                /**
                 * @description For `comment.added`: whose comments count. If it is missing: `any`.
                 * @enum {string}
                 */
                by?: "any" | "user" | "agent";
                /** @description For `schedule`, where it is required: minute, hour, day of the month, month and day of the week. Two runs are at least 15 minutes apart. */
                cron?: string;
                /** @description For `issue.updated`: the fields of which at least one must have changed. */
                fields?: string[];
                /** @description For `schedule`: the automation runs once for each issue of its project that matches, at most 200. Needs a project. Without it, the automation runs once and has no issue. */
                filters?: {
                    /** @description Only issues assigned to one of these: user ids, e-mail addresses, `me` or `none`, comma-separated. */
                    assignee?: string;
                    /** @description Only issues with one of these values in a custom field, comma-separated: `customFields.Budget=10..20` or `customFields[Budget]=10..20`, with the field's name (ignoring case) or id. Options, texts and addresses match as a whole, ignoring case. Numbers and days may be ranges: `10..20`, `10..` or `..20`, with both ends. Users are ids, e-mail addresses or `me`; projects are ids or keys; docs are ids; checkboxes are `true` or `false`. `none`: issues whose type has the field, but that have no value. */
                    customFields?: {
                        [key: string]: string;
                    };
                    /** @description Only issues that are due before this day or instant. An issue that is due on the day itself is not among them. */
                    due_before?: string;
                    /** @description Only issues of these epics: keys or ids, comma-separated. `none` for issues without one. */
                    epic?: string;
                    /** @description Only issues with one of these labels: ids, names or `none`, comma-separated. Write a comma in a name as `\,`. */
                    label?: string;
                    /** @description Only issues of one of these milestones: ids or `none`, comma-separated. */
                    milestone?: string;
                    /** @description Only child issues of these: keys or ids, comma-separated. `none` for top-level issues. */
                    parent?: string;
                    /** @description Only issues with one of these priorities, comma-separated. */
                    priority?: string;
                    /** @description Only issues with these words, or words that begin with them, in key, title or description. `"two words"` is a phrase, and `-word` leaves out. The address of an issue finds it. */
                    q?: string;
                    /** @description Only issues of one of these releases: ids or `none`, comma-separated. */
                    release?: string;
                    /** @description Only issues reported by one of these: user ids, e-mail addresses or `me`, comma-separated. */
                    reporter?: string;
                    /** @description Only issues in one of these sprints: ids, `active` or `none`, comma-separated. */
                    sprint?: string;
                    /** @description Only issues with one of these categories, column ids or column names, comma-separated. A column with exactly this name comes before a category, and a category before a name in another case. */
                    status?: string;
                    /** @description Only issues of one of these types, comma-separated. */
                    type?: string;
                    /** @description Only issues that were last changed at this instant or later. */
                    updated_since?: string;
                };
                /**
                 * Format: uuid
                 * @description For `form.submitted`: the form.
                 */
                form_id?: string;
                /** @description For `issue.status_changed`: categories, ids or names of columns that the issue leaves. For `issue.priority_changed`: priorities that it had. */
                from?: string[];
                /** @description For `issue.due_soon`: how many hours before the due date the automation runs. If it is missing: 24. */
                hours_before?: number;
                /** @description For `issue.labelled`: the labels of which at least one must have been added. */
                label_ids?: string[];
                /** @description For `agent_session.state_changed`: the new states. */
                states?: ("running" | "needs_input" | "review" | "done" | "failed" | "cancelled")[];
                /** @description For `workflow_run.finished`: how the run ended. */
                statuses?: ("completed" | "failed" | "cancelled")[];
                /** @description For `schedule`: the time zone of `cron` (IANA). If it is missing: the one of the workspace. */
                timezone?: string;
                /** @description For `issue.status_changed`: categories, ids or names of columns that the issue moves to. For `issue.priority_changed`: its new priorities. */
                to?: string[];
                /**
                 * Format: uuid
                 * @description For `issue.assigned` and `issue.unassigned`: the person or agent, by id, e-mail or `me`.
                 */
                user_id?: string;
                /**
                 * Format: uuid
                 * @description For `workflow_run.finished`: the workflow.
                 */
                workflow_id?: string;
            };
            /**
             * Format: date-time
             * @description When the automation was last changed.
             */
            updated_at: string;
        };
        AutomationCreateInput: {
            /** @description What the automation does, in order. */
            actions: components["schemas"]["ActionInput"][];
            /** @description Whether changes that were made by automations, workflows and woken agents start the automation too. Default: `false`. */
            allow_chaining?: boolean;
            /** @description What must apply to the issue and the event. `null`: nothing, the automation always runs. */
            conditions?: {
                /**
                 * @description Whether all rules must apply, or any of them.
                 * @enum {string}
                 */
                match: "all" | "any";
                /** @description Rules, or further groups of rules. An empty list always applies. */
                rules: {
                    /** @description A field of the issue, `actor_kind` or `actor_id` (who made the change), `from_status` or `to_status`, or `custom_field:` with the field's id. */
                    field?: string;
                    /**
                     * @description Whether all rules must apply, or any of them.
                     * @enum {string}
                     */
                    match?: "all" | "any";
                    /**
                     * @description How the field is compared. `changed` applies if the event changed the field.
                     * @enum {string}
                     */
                    op?: "is" | "is_not" | "is_one_of" | "is_not_one_of" | "contains" | "not_contains" | "gt" | "gte" | "lt" | "lte" | "is_set" | "is_empty" | "changed";
                    /** @description Rules, or further groups of rules. An empty list always applies. */
                    rules?: {
                        /** @description A field of the issue, `actor_kind` or `actor_id` (who made the change), `from_status` or `to_status`, or `custom_field:` with the field's id. */
                        field?: string;
                        /**
                         * @description Whether all rules must apply, or any of them.
                         * @enum {string}
                         */
                        match?: "all" | "any";
                        /**
                         * @description How the field is compared. `changed` applies if the event changed the field.
                         * @enum {string}
                         */
                        op?: "is" | "is_not" | "is_one_of" | "is_not_one_of" | "contains" | "not_contains" | "gt" | "gte" | "lt" | "lte" | "is_set" | "is_empty" | "changed";
                        /** @description Rules, or further groups of rules. An empty list always applies. */
                        rules?: {
                            /** @description A field of the issue, `actor_kind` or `actor_id` (who made the change), `from_status` or `to_status`, or `custom_field:` with the field's id. */
                            field?: string;
                            /**
                             * @description How the field is compared. `changed` applies if the event changed the field.
                             * @enum {string}
                             */
                            op?: "is" | "is_not" | "is_one_of" | "is_not_one_of" | "contains" | "not_contains" | "gt" | "gte" | "lt" | "lte" | "is_set" | "is_empty" | "changed";
                            /** @description What the field is compared with: ids, keys or names; numbers; dates. A list for `is_one_of` and `is_not_one_of`; left out for `is_set`, `is_empty` and `changed`. */
                            value?: (string | number | boolean) | (string | number)[];
                        }[];
                        /** @description What the field is compared with: ids, keys or names; numbers; dates. A list for `is_one_of` and `is_not_one_of`; left out for `is_set`, `is_empty` and `changed`. */
                        value?: (string | number | boolean) | (string | number)[];
                    }[];
                    /** @description What the field is compared with: ids, keys or names; numbers; dates. A list for `is_one_of` and `is_not_one_of`; left out for `is_set`, `is_empty` and `changed`. */
                    value?: (string | number | boolean) | (string | number)[];
                }[];
            } | null;
            /** @description What the automation is for. `null` if nothing is said. */
            description?: string | null;
            /** @description Whether the automation runs. Default: `true`. */
            enabled?: boolean;
            /** @description What people see as the automation's name, also in histories of issues that it changed. */
            name: string;
            /**
             * @description Whether the run stops at the first action that fails, or continues with the next one. Default: `stop`.
             * @enum {string}
             */
            on_error?: "stop" | "continue";
            /** @description Project whose issues start the automation: id, key or slug. `null`: all projects. A rule `project is …` directly in conditions with `match` `all` sets it too. */
            project_id?: string | null;
            /**
             * @description What starts the automation.
             * @enum {string}
             */
            trigger: "issue.created" | "issue.status_changed" | "issue.priority_changed" | "issue.assigned" | "issue.unassigned" | "comment.added" | "issue.updated" | "issue.archived" | "issue.labelled" | "issue.unblocked" | "issue.overdue" | "issue.due_soon" | "sprint.started" | "sprint.completed" | "release.released" | "milestone.completed" | "form.submitted" | "agent_session.state_changed" | "workflow_run.finished" | "schedule";
            /** @description Parameters of the trigger. Each trigger takes only its own. */
            trigger_config?: {
                /**
                 * @description For `comment.added`: whose comments count. If it is missing: `any`.
                 * @enum {string}
                 */
                by?: "any" | "user" | "agent";
                /** @description For `schedule`, where it is required: minute, hour, day of the month, month and day of the week. Two runs are at least 15 minutes apart. */
                cron?: string;
                /** @description For `issue.updated`: the fields of which at least one must have changed. */
                fields?: string[];
                /** @description For `schedule`: the automation runs once for each issue of its project that matches, at most 200. Needs a project. Without it, the automation runs once and has no issue. */
                filters?: {
                    /** @description Only issues assigned to one of these: user ids, e-mail addresses, `me` or `none`, comma-separated. */
                    assignee?: string;
                    /** @description Only issues with one of these values in a custom field, comma-separated: `customFields.Budget=10..20` or `customFields[Budget]=10..20`, with the field's name (ignoring case) or id. Options, texts and addresses match as a whole, ignoring case. Numbers and days may be ranges: `10..20`, `10..` or `..20`, with both ends. Users are ids, e-mail addresses or `me`; projects are ids or keys; docs are ids; checkboxes are `true` or `false`. `none`: issues whose type has the field, but that have no value. */
                    customFields?: {
                        [key: string]: string;
                    };
                    /** @description Only issues that are due before this day or instant. An issue that is due on the day itself is not among them. */
                    due_before?: string;
                    /** @description Only issues of these epics: keys or ids, comma-separated. `none` for issues without one. */
                    epic?: string;
                    /** @description Only issues with one of these labels: ids, names or `none`, comma-separated. Write a comma in a name as `\,`. */
                    label?: string;
                    /** @description Only issues of one of these milestones: ids or `none`, comma-separated. */
                    milestone?: string;
                    /** @description Only child issues of these: keys or ids, comma-separated. `none` for top-level issues. */
                    parent?: string;
                    /** @description Only issues with one of these priorities, comma-separated. */
                    priority?: string;
                    /** @description Only issues with these words, or words that begin with them, in key, title or description. `"two words"` is a phrase, and `-word` leaves out. The address of an issue finds it. */
                    q?: string;
                    /** @description Only issues of one of these releases: ids or `none`, comma-separated. */
                    release?: string;
                    /** @description Only issues reported by one of these: user ids, e-mail addresses or `me`, comma-separated. */
                    reporter?: string;
                    /** @description Only issues in one of these sprints: ids, `active` or `none`, comma-separated. */
                    sprint?: string;
                    /** @description Only issues with one of these categories, column ids or column names, comma-separated. A column with exactly this name comes before a category, and a category before a name in another case. */
                    status?: string;
                    /** @description Only issues of one of these types, comma-separated. */
                    type?: string;
                    /** @description Only issues that were last changed at this instant or later. */
                    updated_since?: string;
                };
                /** @description For `form.submitted`: the form. */
                form_id?: string;
                /** @description For `issue.status_changed`: categories, ids or names of columns that the issue leaves. For `issue.priority_changed`: priorities that it had. */
                from?: string[];
                /** @description For `issue.due_soon`: how many hours before the due date the automation runs. If it is missing: 24. */
                hours_before?: number;
                /** @description For `issue.labelled`: the labels of which at least one must have been added. */
                label_ids?: string[];
                /** @description For `agent_session.state_changed`: the new states. */
                states?: ("running" | "needs_input" | "review" | "done" | "failed" | "cancelled")[];
                /** @description For `workflow_run.finished`: how the run ended. */
                statuses?: ("completed" | "failed" | "cancelled")[];
                /** @description For `schedule`: the time zone of `cron` (IANA). If it is missing: the one of the workspace. */
                timezone?: string;
                /** @description For `issue.status_changed`: categories, ids or names of columns that the issue moves to. For `issue.priority_changed`: its new priorities. */
                to?: string[];
                /** @description For `issue.assigned` and `issue.unassigned`: the person or agent, by id, e-mail or `me`. */
                user_id?: string;
                /** @description For `workflow_run.finished`: the workflow. */
                workflow_id?: string;
            };
        };
        AutomationDryRun: {
            /** @description What the actions would do, in order and for each of their issues. Each is tried alone, and undone. */
            actions: {
                /** @description The action with values in the place of paths. */
                action: components["schemas"]["Action"];
                /** @description What the action would change, or why it would fail. `null` if there is nothing to say, or you cannot see the issue. */
                detail: string | null;
                /** @description Key of the issue that would change. `null` if the action changes none, or you cannot see it. */
                issue_key: string | null;
                /** @description Whether the action would succeed, with the present rights of the automation's creator. */
                ok: boolean;
                /** @description What the action does. */
                type: string;
                /** @description What the action would do, in a sentence. */
                would: string;
            }[];
            /**
             * Format: uuid
             * @description Identifies the automation for good. A UUIDv7: later ones sort after earlier ones.
             */
            automation_id: string;
            /** @description The first rule that does not apply. `null` if all do. */
            failed: {
                /** @description Why the rule does not apply. */
                message: string;
                /** @description JSON pointer of the rule in the automation. */
                path: string;
            } | null;
            /** @description Key of the issue. `null` if none was sent. */
            issue_key: string | null;
            /** @description The last time the automation was started by a change that another automation, a workflow or a woken agent had made, and did not run. `null` if it never happened. */
            last_skipped: {
                /**
                 * Format: date-time
                 * @description When the automation was skipped.
                 */
                at: string;
                /** @description Why the automation was skipped. */
                reason: string;
            } | null;
            /** @description Whether the project and the conditions apply. The change counts as yours, and as one that changed no field: rules with `changed`, `from_status` and `to_status` do not apply. */
            matched: boolean;
            /** @description Number of issues that were not tried, because a dry run tries at most 50. */
            omitted: number;
            /** @description Why the automation would not run now although it matches. `null` if it would. */
            skipped_reason: string | null;
        };
        AutomationDryRunInput: {
            /** @description Key or id of the issue to try. `null`: none, as for sprints, milestones, releases and schedules without filters. */
            issue_key?: string | null;
        };
        AutomationFired: {
            /**
             * Format: uuid
             * @description The automation that sent the event. `null` if a workflow did.
             */
            automation_id: string | null;
            /** @description The issue of the run. `null` if it has none. */
            issue: components["schemas"]["Issue"] | null;
            /** @description Which automation or workflow acted, for people. */
            name: string;
            /**
             * Format: uuid
             * @description The run that acted. Read it to see why.
             */
            run_id: string;
            /** @description What started the run of the automation. `null` for workflows. */
            trigger: string | null;
            /**
             * Format: uuid
             * @description Id of the workflow. `null` if an automation sent the event.
             */
            workflow_id: string | null;
        };
        AutomationPatchInput: {
            /** @description What the automation does, in order. */
            actions?: components["schemas"]["ActionInput"][];
            /** @description Whether changes that were made by automations, workflows and woken agents start the automation too. */
            allow_chaining?: boolean;
            /** @description What must apply to the issue and the event. `null`: nothing, the automation always runs. */
            conditions?: {
                /**
                 * @description Whether all rules must apply, or any of them.
                 * @enum {string}
                 */
                match: "all" | "any";
                /** @description Rules, or further groups of rules. An empty list always applies. */
                rules: {
                    /** @description A field of the issue, `actor_kind` or `actor_id` (who made the change), `from_status` or `to_status`, or `custom_field:` with the field's id. */
                    field?: string;
                    /**
                     * @description Whether all rules must apply, or any of them.
                     * @enum {string}
                     */
                    match?: "all" | "any";
                    /**
                     * @description How the field is compared. `changed` applies if the event changed the field.
                     * @enum {string}
                     */
                    op?: "is" | "is_not" | "is_one_of" | "is_not_one_of" | "contains" | "not_contains" | "gt" | "gte" | "lt" | "lte" | "is_set" | "is_empty" | "changed";
                    /** @description Rules, or further groups of rules. An empty list always applies. */
                    rules?: {
                        /** @description A field of the issue, `actor_kind` or `actor_id` (who made the change), `from_status` or `to_status`, or `custom_field:` with the field's id. */
                        field?: string;
                        /**
                         * @description Whether all rules must apply, or any of them.
                         * @enum {string}
                         */
                        match?: "all" | "any";
                        /**
                         * @description How the field is compared. `changed` applies if the event changed the field.
                         * @enum {string}
                         */
                        op?: "is" | "is_not" | "is_one_of" | "is_not_one_of" | "contains" | "not_contains" | "gt" | "gte" | "lt" | "lte" | "is_set" | "is_empty" | "changed";
                        /** @description Rules, or further groups of rules. An empty list always applies. */
                        rules?: {
                            /** @description A field of the issue, `actor_kind` or `actor_id` (who made the change), `from_status` or `to_status`, or `custom_field:` with the field's id. */
                            field?: string;
                            /**
                             * @description How the field is compared. `changed` applies if the event changed the field.
                             * @enum {string}
                             */
                            op?: "is" | "is_not" | "is_one_of" | "is_not_one_of" | "contains" | "not_contains" | "gt" | "gte" | "lt" | "lte" | "is_set" | "is_empty" | "changed";
                            /** @description What the field is compared with: ids, keys or names; numbers; dates. A list for `is_one_of` and `is_not_one_of`; left out for `is_set`, `is_empty` and `changed`. */
                            value?: (string | number | boolean) | (string | number)[];
                        }[];
                        /** @description What the field is compared with: ids, keys or names; numbers; dates. A list for `is_one_of` and `is_not_one_of`; left out for `is_set`, `is_empty` and `changed`. */
                        value?: (string | number | boolean) | (string | number)[];
                    }[];
                    /** @description What the field is compared with: ids, keys or names; numbers; dates. A list for `is_one_of` and `is_not_one_of`; left out for `is_set`, `is_empty` and `changed`. */
                    value?: (string | number | boolean) | (string | number)[];
                }[];
            } | null;
            /** @description What the automation is for. `null` if nothing is said. */
            description?: string | null;
            /** @description Whether the automation runs. */
            enabled?: boolean;
            /** @description What people see as the automation's name, also in histories of issues that it changed. */
            name?: string;
            /**
             * @description Whether the run stops at the first action that fails, or continues with the next one.
             * @enum {string}
             */
            on_error?: "stop" | "continue";
            /** @description Project whose issues start the automation: id, key or slug. `null`: all projects. A rule `project is …` directly in conditions with `match` `all` sets it too. */
            project_id?: string | null;
            /**
             * @description What starts the automation.
             * @enum {string}
             */
            trigger?: "issue.created" | "issue.status_changed" | "issue.priority_changed" | "issue.assigned" | "issue.unassigned" | "comment.added" | "issue.updated" | "issue.archived" | "issue.labelled" | "issue.unblocked" | "issue.overdue" | "issue.due_soon" | "sprint.started" | "sprint.completed" | "release.released" | "milestone.completed" | "form.submitted" | "agent_session.state_changed" | "workflow_run.finished" | "schedule";
            /** @description Parameters of the trigger. Each trigger takes only its own. */
            trigger_config?: {
                /**
                 * @description For `comment.added`: whose comments count. If it is missing: `any`.
                 * @enum {string}
                 */
                by?: "any" | "user" | "agent";
                /** @description For `schedule`, where it is required: minute, hour, day of the month, month and day of the week. Two runs are at least 15 minutes apart. */
                cron?: string;
                /** @description For `issue.updated`: the fields of which at least one must have changed. */
                fields?: string[];
                /** @description For `schedule`: the automation runs once for each issue of its project that matches, at most 200. Needs a project. Without it, the automation runs once and has no issue. */
                filters?: {
                    /** @description Only issues assigned to one of these: user ids, e-mail addresses, `me` or `none`, comma-separated. */
                    assignee?: string;
                    /** @description Only issues with one of these values in a custom field, comma-separated: `customFields.Budget=10..20` or `customFields[Budget]=10..20`, with the field's name (ignoring case) or id. Options, texts and addresses match as a whole, ignoring case. Numbers and days may be ranges: `10..20`, `10..` or `..20`, with both ends. Users are ids, e-mail addresses or `me`; projects are ids or keys; docs are ids; checkboxes are `true` or `false`. `none`: issues whose type has the field, but that have no value. */
                    customFields?: {
                        [key: string]: string;
                    };
                    /** @description Only issues that are due before this day or instant. An issue that is due on the day itself is not among them. */
                    due_before?: string;
                    /** @description Only issues of these epics: keys or ids, comma-separated. `none` for issues without one. */
                    epic?: string;
                    /** @description Only issues with one of these labels: ids, names or `none`, comma-separated. Write a comma in a name as `\,`. */
                    label?: string;
                    /** @description Only issues of one of these milestones: ids or `none`, comma-separated. */
                    milestone?: string;
                    /** @description Only child issues of these: keys or ids, comma-separated. `none` for top-level issues. */
                    parent?: string;
                    /** @description Only issues with one of these priorities, comma-separated. */
                    priority?: string;
                    /** @description Only issues with these words, or words that begin with them, in key, title or description. `"two words"` is a phrase, and `-word` leaves out. The address of an issue finds it. */
                    q?: string;
                    /** @description Only issues of one of these releases: ids or `none`, comma-separated. */
                    release?: string;
                    /** @description Only issues reported by one of these: user ids, e-mail addresses or `me`, comma-separated. */
                    reporter?: string;
                    /** @description Only issues in one of these sprints: ids, `active` or `none`, comma-separated. */
                    sprint?: string;
                    /** @description Only issues with one of these categories, column ids or column names, comma-separated. A column with exactly this name comes before a category, and a category before a name in another case. */
                    status?: string;
                    /** @description Only issues of one of these types, comma-separated. */
                    type?: string;
                    /** @description Only issues that were last changed at this instant or later. */
                    updated_since?: string;
                };
                /** @description For `form.submitted`: the form. */
                form_id?: string;
                /** @description For `issue.status_changed`: categories, ids or names of columns that the issue leaves. For `issue.priority_changed`: priorities that it had. */
                from?: string[];
                /** @description For `issue.due_soon`: how many hours before the due date the automation runs. If it is missing: 24. */
                hours_before?: number;
                /** @description For `issue.labelled`: the labels of which at least one must have been added. */
                label_ids?: string[];
                /** @description For `agent_session.state_changed`: the new states. */
                states?: ("running" | "needs_input" | "review" | "done" | "failed" | "cancelled")[];
                /** @description For `workflow_run.finished`: how the run ended. */
                statuses?: ("completed" | "failed" | "cancelled")[];
                /** @description For `schedule`: the time zone of `cron` (IANA). If it is missing: the one of the workspace. */
                timezone?: string;
                /** @description For `issue.status_changed`: categories, ids or names of columns that the issue moves to. For `issue.priority_changed`: its new priorities. */
                to?: string[];
                /** @description For `issue.assigned` and `issue.unassigned`: the person or agent, by id, e-mail or `me`. */
                user_id?: string;
                /** @description For `workflow_run.finished`: the workflow. */
                workflow_id?: string;
            };
        };
        AutomationRun: {
            /** @description What each action did, in order. `null` if the first one never began. */
            actions_applied: {
                /** @description What the action did, or the code and the text of its error. */
                detail: string | null;
                /**
                 * Format: uuid
                 * @description Id of the issue that the action was applied to. `null` for actions that change no issue.
                 */
                issue_id: string | null;
                /** @description Whether the action succeeded. An action that had nothing to do succeeded. */
                ok: boolean;
                /** @description Which action was carried out. */
                type: string;
            }[] | null;
            /**
             * Format: uuid
             * @description The automation that ran.
             */
            automation_id: string;
            /**
             * Format: date-time
             * @description When the run was created.
             */
            created_at: string;
            /** @description Number of reactions from the first change of the chain to this run. 1 if a person made the change. */
            depth: number;
            /** @description Why the run ended with an error, or how much it stands for. `null` if there is nothing to say. */
            detail: string | null;
            /** @description How long the run took, in milliseconds. */
            duration_ms: number;
            /**
             * Format: uuid
             * @description Id of the event that started the run. Runs by the clock have an id made from the time.
             */
            event_id: string;
            /**
             * Format: date-time
             * @description When the run ended.
             */
            finished_at: string;
            /**
             * Format: uuid
             * @description Identifies the run. Events and lines of history that it caused name it.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the issue that the run is about. `null` if it is about none.
             */
            issue_id: string | null;
            /** @description The issue of `issue_id` as `KEY-N`. `null` if the run is about none, or if the caller cannot see it. */
            issue_key: string | null;
            /**
             * @description Why the run ended without its actions: it was part of a loop, there were too many runs, the plan allows no more, or the creator lacks the rights. `null` for all other runs.
             * @enum {string|null}
             */
            reason: "loop_stopped" | "throttled" | "plan" | "rights" | null;
            /**
             * Format: date-time
             * @description When a worker began with the run, a moment after the event that triggered it.
             */
            started_at: string;
            /**
             * @description `ok` if all actions succeeded, `partial` if some did, `error` if none did.
             * @enum {string}
             */
            status: "ok" | "partial" | "error";
            /** @description What started the run. */
            trigger: string;
        };
        /** @description What became of an item: `ok` says whether it was stored. */
        BulkCommentRow: {
            /** @description The object as it was stored. */
            data: components["schemas"]["Comment"];
            /** @description Position of the item in the body, from 0. */
            index: number;
            /**
             * @description The item was stored.
             * @constant
             */
            ok: true;
            /**
             * @description HTTP status that a separate call for the item would have returned.
             * @constant
             */
            status: 201;
        } | components["schemas"]["BulkFailure"];
        BulkCommentsCreateInput: {
            /** @description Comments to add, 1 to 50. */
            items: components["schemas"]["CommentCreateInput"][];
        };
        /** @description What became of an item: `ok` says whether it was stored. */
        BulkDocRow: {
            /** @description The object as it was stored. */
            data: components["schemas"]["Doc"];
            /** @description Position of the item in the body, from 0. */
            index: number;
            /**
             * @description The item was stored.
             * @constant
             */
            ok: true;
            /**
             * @description HTTP status that a separate call for the item would have returned.
             * @constant
             */
            status: 201;
        } | components["schemas"]["BulkFailure"];
        BulkDocsCreateInput: {
            /** @description Docs to create, at most 50. Each is created or refused on its own. */
            items: components["schemas"]["DocCreateInput"][];
        };
        BulkFailure: {
            /** @description Why the item failed. */
            error: components["schemas"]["ProblemError"];
            /** @description Position of the item in the body, from 0. */
            index: number;
            /**
             * @description The item failed. No part of it was stored.
             * @constant
             */
            ok: false;
            /** @description HTTP status that a separate call for the item would have returned. */
            status: number;
        };
        /** @description What became of an item: `ok` says whether it was stored. */
        BulkIssueRow: {
            /** @description The object as it was stored. */
            data: components["schemas"]["Issue"];
            /** @description Position of the item in the body, from 0. */
            index: number;
            /**
             * @description The item was stored.
             * @constant
             */
            ok: true;
            /**
             * @description HTTP status that a separate call for the item would have returned.
             * @constant
             */
            status: 201;
        } | components["schemas"]["BulkFailure"];
        BulkIssuesCreateInput: {
            /** @description Issues to create, 1 to 50. `parent` and `epic` may name an item of the same call, from `#0`. */
            items: components["schemas"]["IssueCreateInput"][];
        };
        CardSetup: {
            /**
             * Format: uri
             * @description Page of the card processor for a person's browser. Valid for a day.
             */
            url: string;
        };
        /** @description An event of a channel's stream. Ignore names that you do not know. */
        ChannelStreamFrame: {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["ChannelStreamReady"];
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "stream.ready";
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["ChatMessage"];
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "chat.message.created";
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["ChatMessage"];
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "chat.message.updated";
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["ChatMessage"];
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "chat.message.deleted";
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["ChatMessageDelta"];
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "chat.message.delta";
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["ChatReactions"];
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "chat.message.reactions";
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["StreamEnd"];
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "stream.closing";
        } | {
            /** @description The JSON of the `data` line. */
            data: components["schemas"]["StreamEnd"];
            /**
             * @description Says how to read `data`.
             * @constant
             */
            event: "stream.closed";
        };
        ChannelStreamReady: {
            /**
             * Format: uuid
             * @description Channel whose messages follow.
             */
            channel_id: string;
        };
        ChatChannel: {
            /**
             * Format: date-time
             * @description When the channel was archived. Archived channels are read-only. Direct messages: when you archived it for yourself; the next message brings it back. `null` if it is not.
             */
            archived_at: string | null;
            /**
             * Format: date-time
             * @description When the channel was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who created the channel.
             */
            created_by: string;
            /**
             * Format: uuid
             * @description Identifies the channel for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description Whether you are a member. */
            is_member: boolean;
            /**
             * @description `public`: everybody who sees the project, or all members of the workspace. `private`: its members only. `dm`: a direct message.
             * @enum {string}
             */
            kind: "public" | "private" | "dm";
            /**
             * Format: date-time
             * @description When the last message was written. `null` if there is none.
             */
            last_message_at: string | null;
            /** @description How many people and agents are in the channel. */
            member_count: number;
            /**
             * @description Your role in the channel. `null` if you are not a member.
             * @enum {string|null}
             */
            my_role: "owner" | "member" | null;
            /** @description Name of the channel. `null` for direct messages. */
            name: string | null;
            /** @description Direct messages: the other people and agents in it. `null` for channels. */
            others: {
                /**
                 * @description Whether it is a person or an agent.
                 * @enum {string}
                 */
                kind: "user" | "agent";
                /** @description Display name. `null` until they choose one. */
                name: string | null;
                /**
                 * Format: uuid
                 * @description User id of the person or agent.
                 */
                user_id: string;
            }[] | null;
            /**
             * Format: uuid
             * @description Id of the project that the channel belongs to. `null` for a channel of the workspace.
             */
            project_id: string | null;
            /** @description Name in URLs, unique among the channels that you see and that are not archived. `null` for direct messages. */
            slug: string | null;
            /** @description What the channel is about. `null` if not set. */
            topic: string | null;
            /** @description Messages of others that you have not read, at most 1,000. 0 if you are not a member. */
            unread_count: number;
            /**
             * Format: date-time
             * @description When the channel was last changed.
             */
            updated_at: string;
        };
        ChatChannelCreateInput: {
            /**
             * @description `public` or `private`. Direct messages have their own call. Default: `public`.
             * @enum {string}
             */
            kind?: "public" | "private";
            /** @description People and agents to add, by id or e-mail. Default: `[]`. */
            member_ids?: string[];
            /** @description Name of the channel. The slug made from it must not be in use. */
            name: string;
            /** @description Id, key or slug of the project that the channel belongs to. `null` for none. */
            project?: string | null;
            /** @description What the channel is about. `null` if not set. */
            topic?: string | null;
        };
        ChatChannelMember: {
            /**
             * Format: date-time
             * @description When they joined.
             */
            joined_at: string;
            /**
             * @description Whether it is a person or an agent.
             * @enum {string}
             */
            kind: "user" | "agent";
            /** @description Whether you have muted the channel: only mentions of you notify you. `null` for others. */
            muted: boolean | null;
            /** @description Display name. `null` until they choose one. */
            name: string | null;
            /**
             * @description Role in the channel. Owners manage it.
             * @enum {string}
             */
            role: "owner" | "member";
            /**
             * Format: uuid
             * @description User id of the person or agent.
             */
            user_id: string;
        };
        ChatChannelMemberInput: {
            /** @description Who joins, by id, e-mail or `me`. You can join public channels yourself; owners of a channel and admins add others. Default: `me`. */
            user_id?: string;
        };
        ChatChannelMemberPatchInput: {
            /** @description `true` mutes the channel for you, `false` ends that. `null` changes nothing. */
            muted?: boolean | null;
        };
        ChatChannelPatchInput: {
            /** @description `true` archives the channel, `false` brings it back. For direct messages: for yourself only. */
            archived?: boolean;
            /** @description Name of the channel. The slug made from it must not be in use. */
            name?: string;
            /** @description What the channel is about. `null` if not set. */
            topic?: string | null;
        };
        ChatDmInput: {
            /** @description The other people and agents, by id or e-mail. */
            user_ids: string[];
        };
        ChatMessage: {
            /**
             * Format: uuid
             * @description User id of the person or agent who wrote the message.
             */
            author_id: string;
            /**
             * @description Whether the author is a person or an agent.
             * @enum {string}
             */
            author_kind: "user" | "agent";
            /** @description Text as Markdown. Empty if the message was deleted but has replies. */
            body_md: string;
            /**
             * Format: uuid
             * @description Id of the channel that the message belongs to.
             */
            channel_id: string;
            /**
             * Format: date-time
             * @description When the message was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the message was deleted. Deleted messages are listed only if they have replies; else `null`.
             */
            deleted_at: string | null;
            /**
             * Format: date-time
             * @description When the text was last changed. `null` if never.
             */
            edited_at: string | null;
            /**
             * Format: uuid
             * @description Identifies the message for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the last of these replies was written. `null` if there is none.
             */
            last_reply_at: string | null;
            /** @description People and agents that the text mentions. */
            mentions: {
                /**
                 * Format: uuid
                 * @description User id of the person or agent.
                 */
                id: string;
                /**
                 * @description Whether it is a person or an agent.
                 * @enum {string}
                 */
                kind: "user" | "agent";
            }[];
            /**
             * Format: uuid
             * @description Id of the message that this one answers. `null` if it is not a reply.
             */
            parent_id: string | null;
            /** @description Reactions, in the order in which they were first added. */
            reactions: {
                /** @description How many people and agents have added it. */
                count: number;
                /** @description The emoji or short text. */
                emoji: string;
                /** @description Who has added it, those first who did so first; at most 100. */
                user_ids: string[];
            }[];
            /** @description First message of a thread: all replies of the thread. Replies: the direct answers. */
            reply_count: number;
            /**
             * Format: uuid
             * @description Id of the first message of the thread. `null` if the message is not a reply.
             */
            root_id: string | null;
            /** @description Number of the last part of a streamed message. `null` for other messages. */
            seq: number | null;
            /**
             * @description State of a streamed message. `null` for other messages.
             * @enum {string|null}
             */
            stream_status: "open" | "done" | "timed_out" | null;
            /** @description Whether the author is still writing the message. */
            streaming: boolean;
            /**
             * Format: date-time
             * @description When the message was last changed.
             */
            updated_at: string;
        };
        ChatMessageCreateInput: {
            /** @description Text as Markdown. `@[Name](user id)` mentions somebody who can read the channel. */
            body_md: string;
            /** @description Your own id of the message. If you send it again, you get the same message, and no second one is created. */
            client_id?: string | null;
            /** @description Id of the message to answer. `null` for none. */
            parent_id?: string | null;
        };
        ChatMessageDelta: {
            /**
             * Format: uuid
             * @description Channel in which it is written.
             */
            channel_id: string;
            /** @description Text to append. */
            delta: string;
            /** @description Whether the message is complete. */
            done: boolean;
            /**
             * Format: uuid
             * @description The message that is being written.
             */
            message_id: string;
            /** @description Number of the part in its message. Skip one that is not higher than the `seq` of the message. */
            seq: number;
        };
        ChatMessagePatchInput: {
            /** @description Text as Markdown. `@[Name](user id)` mentions somebody who can read the channel. */
            body_md?: string;
        };
        ChatReactionInput: {
            /** @description The emoji or short text to react with. */
            emoji: string;
        };
        ChatReactions: {
            /**
             * Format: uuid
             * @description The message that the part belongs to.
             */
            message_id: string;
            /** @description All reactions to the message now. */
            reactions: {
                /** @description How many people and agents have added it. */
                count: number;
                /** @description The emoji or short text. */
                emoji: string;
                /** @description Who has added it, those first who did so first; at most 100. */
                user_ids: string[];
            }[];
        };
        ChatReadInput: {
            /** @description The last message that you have read. Default: the newest of the channel. */
            message_id?: string;
        };
        ChatStreamInput: {
            /** @description Only with `done`: the whole text, which replaces all parts. */
            body_md?: string;
            /** @description Your own id of the message. If you send it again, you get the same message, and no second one is created. */
            client_id?: string | null;
            /** @description Text to add at the end, at most 16,000 characters. A message has at most 64,000. Default: ``. */
            delta?: string;
            /** @description `true`: the message is complete. Default: `false`. */
            done?: boolean;
            /** @description Id of the message to continue. Leave it out to open a new one. */
            message_id?: string | null;
            /** @description Only for the open: id of the message to answer. `null` for none. */
            parent_id?: string | null;
            /** @description Number of this part: the open is 0, each append is one more. Repeats are ignored, and a gap is refused. Without it, parts are added as they come. */
            seq?: number;
        };
        ChatStreamReply: {
            /** @description Whether the message is complete. */
            done: boolean;
            /** @description Length of the text in characters. */
            length: number;
            /**
             * Format: uuid
             * @description The message that the part belongs to.
             */
            message_id: string;
            /** @description Number of the last part that was added. */
            seq: number;
        };
        Comment: {
            /**
             * Format: uuid
             * @description User id of the person or agent who wrote the comment.
             */
            author_id: string;
            /**
             * @description Whether the author is a person or an agent.
             * @enum {string}
             */
            author_kind: "user" | "agent";
            /** @description Name of the author. `null` if they have not chosen one. */
            author_name: string | null;
            /** @description Text as sanitised HTML. */
            body_html: string;
            /** @description Text as Markdown. Empty if the comment was deleted but has replies. */
            body_md: string;
            /**
             * Format: date-time
             * @description When the comment was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the comment was deleted. Deleted comments are listed only if they have replies; else `null`.
             */
            deleted_at: string | null;
            /**
             * Format: date-time
             * @description When the text was last changed. `null` if never.
             */
            edited_at: string | null;
            /** @description Your own id of the comment. If the same author sends it again, no second comment is created. `null` if none. */
            external_id: string | null;
            /**
             * Format: uuid
             * @description Identifies the comment for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the issue that the comment belongs to.
             */
            issue_id: string;
            /** @description Key of the issue that the comment belongs to. */
            issue_key: string;
            /** @description People and agents that the text mentions. */
            mentions: {
                /**
                 * Format: uuid
                 * @description User id of the person or agent.
                 */
                id: string;
                /**
                 * @description Whether it is a person or an agent.
                 * @enum {string}
                 */
                kind: "user" | "agent";
            }[];
            /**
             * Format: uuid
             * @description Id of the comment that this one replies to. `null` if it is not a reply.
             */
            parent_id: string | null;
            /** @description How many comments answer this one. `0` for an answer, because answers have no answers. */
            reply_count: number;
            /**
             * Format: uuid
             * @description Id of the agent session that the comment belongs to. `null` if none.
             */
            session_id: string | null;
            /**
             * Format: date-time
             * @description When the comment was last changed.
             */
            updated_at: string;
        };
        CommentCreateInput: {
            /** @description Text as Markdown. `@[Name](user id)` mentions somebody; `#WEB-1` links an issue. */
            body_md: string;
            /** @description Your own id of the comment. If the same author sends it again, no second comment is created. `null` if none. */
            external_id?: string | null;
            /** @description Id of the comment to reply to. A reply cannot have replies. `null` for none. */
            parent_id?: string | null;
            /** @description Id of the agent's own session that the comment belongs to. `null` for none. */
            session_id?: string | null;
        };
        CommentPatchInput: {
            /** @description Text as Markdown. `@[Name](user id)` mentions somebody; `#WEB-1` links an issue. */
            body_md?: string;
            /** @description Accepted as in creation, but cannot change: another value is ignored with a warning. */
            external_id?: string | null;
            /** @description Accepted as in creation, but cannot change: another value is ignored with a warning. */
            parent_id?: string | null;
            /** @description Accepted as in creation, but cannot change: another value is ignored with a warning. */
            session_id?: string | null;
        };
        CommitRef: {
            /** @description Name of the commit's author. `null` if unknown. */
            author: string | null;
            /** @description Branch that was pushed. `null` if unknown. */
            branch: string | null;
            /**
             * Format: date-time
             * @description When the commit was made. `null` if unknown.
             */
            committed_at: string | null;
            /**
             * Format: date-time
             * @description When the entry was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description Identifies the entry for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description What the commit's author wrote. An issue's key in it made the reference. */
            message: string;
            /**
             * @description Where the commit was reported from.
             * @enum {string}
             */
            provider: "github" | "gitlab" | "generic";
            /** @description Address of the pull request. `null` if there is none. */
            pull_request_url: string | null;
            /** @description Repository that the push came from, with its owner. */
            repo: string;
            /** @description The commit's whole hash. */
            sha: string;
            /** @description Address of the commit. Empty if the forge sent none. */
            url: string;
        };
        Conditions: {
            /**
             * @description Whether all rules must apply, or any of them.
             * @enum {string}
             */
            match: "all" | "any";
            /** @description Rules, or further groups of rules. An empty list always applies. */
            rules: {
                /** @description A field of the issue, `actor_kind` or `actor_id` (who made the change), `from_status` or `to_status`, or `custom_field:` with the field's id. */
                field?: string;
                /**
                 * @description Whether all rules must apply, or any of them.
                 * @enum {string}
                 */
                match?: "all" | "any";
                /**
                 * @description How the field is compared. `changed` applies if the event changed the field.
                 * @enum {string}
                 */
                op?: "is" | "is_not" | "is_one_of" | "is_not_one_of" | "contains" | "not_contains" | "gt" | "gte" | "lt" | "lte" | "is_set" | "is_empty" | "changed";
                /** @description Rules, or further groups of rules. An empty list always applies. */
                rules?: {
                    /** @description A field of the issue, `actor_kind` or `actor_id` (who made the change), `from_status` or `to_status`, or `custom_field:` with the field's id. */
                    field?: string;
                    /**
                     * @description Whether all rules must apply, or any of them.
                     * @enum {string}
                     */
                    match?: "all" | "any";
                    /**
                     * @description How the field is compared. `changed` applies if the event changed the field.
                     * @enum {string}
                     */
                    op?: "is" | "is_not" | "is_one_of" | "is_not_one_of" | "contains" | "not_contains" | "gt" | "gte" | "lt" | "lte" | "is_set" | "is_empty" | "changed";
                    /** @description Rules, or further groups of rules. An empty list always applies. */
                    rules?: {
                        /** @description A field of the issue, `actor_kind` or `actor_id` (who made the change), `from_status` or `to_status`, or `custom_field:` with the field's id. */
                        field?: string;
                        /**
                         * @description How the field is compared. `changed` applies if the event changed the field.
                         * @enum {string}
                         */
                        op?: "is" | "is_not" | "is_one_of" | "is_not_one_of" | "contains" | "not_contains" | "gt" | "gte" | "lt" | "lte" | "is_set" | "is_empty" | "changed";
                        /** @description What the field is compared with: ids, keys or names; numbers; dates. A list for `is_one_of` and `is_not_one_of`; left out for `is_set`, `is_empty` and `changed`. */
                        value?: (string | number | boolean) | (string | number)[];
                    }[];
                    /** @description What the field is compared with: ids, keys or names; numbers; dates. A list for `is_one_of` and `is_not_one_of`; left out for `is_set`, `is_empty` and `changed`. */
                    value?: (string | number | boolean) | (string | number)[];
                }[];
                /** @description What the field is compared with: ids, keys or names; numbers; dates. A list for `is_one_of` and `is_not_one_of`; left out for `is_set`, `is_empty` and `changed`. */
                value?: (string | number | boolean) | (string | number)[];
            }[];
        };
        CreditsChargeRefunded: {
            /** @description What was charged, in cents. */
            amount_cents: number;
            /** @description Credits that the payment added to the balance. They do not expire with the month. */
            credits: number;
            /**
             * @description Currency of the price, as an ISO 4217 code.
             * @constant
             */
            currency: "USD";
            /** @description Pack that was bought. */
            pack: string;
            /** @description Id of the payment at the card processor. `null` if unknown. */
            payment_intent: string | null;
            /**
             * Format: uuid
             * @description Identifies the purchase. The same purchase has the same id in receipts and events.
             */
            purchase_id: string;
            /**
             * @description Why the money goes back: the charge came after the purchase had been replaced.
             * @constant
             */
            reason: "late_charge";
        };
        CreditsLow: {
            /** @description Credits that the workspace can still spend. */
            balance: number;
            /** @description Balance below which the event is sent. */
            threshold: number;
        };
        CreditsPurchased: {
            /** @description What was charged, in cents. */
            amount_cents: number;
            /** @description Credits that the payment added to the balance. They do not expire with the month. */
            credits: number;
            /**
             * @description Currency of the price, as an ISO 4217 code.
             * @constant
             */
            currency: "USD";
            /** @description Pack that was bought. */
            pack: string;
            /**
             * Format: uuid
             * @description Identifies the purchase. The same purchase has the same id in receipts and events.
             */
            purchase_id: string;
            /** @description Purchased credits that are not spent yet. */
            topup_balance: number;
        };
        CustomCreditsInput: {
            /** @description Number of credits to buy, at 1 cent each. */
            credits: number;
        };
        CustomFieldDef: {
            /** @description Issue types that have the field. Empty for all types. */
            applies_to: ("epic" | "story" | "task" | "bug" | "subtask")[];
            /**
             * Format: date-time
             * @description When the field was created.
             */
            created_at: string;
            /** @description Value of new issues for which none is sent. `null` if none. */
            default_value: unknown;
            /** @description What the field is for. `null` if not described. */
            description: string | null;
            /**
             * Format: uuid
             * @description Identifies the field for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * @description Kind of the field's values.
             * @enum {string}
             */
            kind: "text" | "number" | "select" | "multi_select" | "date" | "checkbox" | "url" | "user" | "project" | "doc";
            /** @description Largest value, for `number`. `null` if there is no limit. */
            max: number | null;
            /** @description Smallest value, for `number`. `null` if there is no limit. */
            min: number | null;
            /** @description Name of the field, unique in the project (ignoring case). */
            name: string;
            /** @description Values to choose from, for `select` and `multi_select`. Else empty. */
            options: string[];
            /** @description Maximum number of decimal places, for `number`. `null` if there is no limit. */
            precision: number | null;
            /** @description Position in its list: ranks sort bytewise. Treat it as opaque; send one only if a reply has shown it. */
            rank: string;
            /** @description Whether an issue should have a value. A missing one is a warning, not an error. */
            required: boolean;
            /**
             * Format: date-time
             * @description When the field was last changed.
             */
            updated_at: string;
            /** @description Number of issues that have a value. */
            value_count: number;
        };
        CustomFieldDefCreateInput: {
            /** @description Id of the field to place this one directly after. Send only one of `before`, `after` and `rank`. */
            after?: string;
            /** @description Issue types that have the field. Empty for all types. */
            applies_to?: ("epic" | "story" | "task" | "bug" | "subtask")[];
            /** @description Id of the field to place this one directly before. Send only one of `before`, `after` and `rank`. */
            before?: string;
            /** @description Value of new issues for which none is sent. `null` if none. */
            default_value?: unknown;
            /** @description What the field is for. `null` if not described. */
            description?: string | null;
            /**
             * @description Kind of the field's values.
             * @enum {string}
             */
            kind: "text" | "number" | "select" | "multi_select" | "date" | "checkbox" | "url" | "user" | "project" | "doc";
            /** @description Largest value, for `number`. `null` if there is no limit. */
            max?: number | null;
            /** @description Smallest value, for `number`. `null` if there is no limit. */
            min?: number | null;
            /** @description Name of the field, unique in the project (ignoring case). */
            name: string;
            /** @description Values to choose from, for `select` and `multi_select`. Else empty. */
            options?: string[];
            /** @description Maximum number of decimal places, for `number`. `null` if there is no limit. */
            precision?: number | null;
            /** @description Position in its list: ranks sort bytewise. Treat it as opaque; send one only if a reply has shown it. */
            rank?: string;
            /** @description Whether an issue should have a value. A missing one is a warning, not an error. */
            required?: boolean;
        };
        CustomFieldDefPatchInput: {
            /** @description Id of the field to place this one directly after. Send only one of `before`, `after` and `rank`. */
            after?: string;
            /** @description Issue types that have the field. Empty for all types. */
            applies_to?: ("epic" | "story" | "task" | "bug" | "subtask")[];
            /** @description Id of the field to place this one directly before. Send only one of `before`, `after` and `rank`. */
            before?: string;
            /** @description Value of new issues for which none is sent. `null` if none. */
            default_value?: unknown;
            /** @description What the field is for. `null` if not described. */
            description?: string | null;
            /**
             * @description Kind of the field's values.
             * @enum {string}
             */
            kind?: "text" | "number" | "select" | "multi_select" | "date" | "checkbox" | "url" | "user" | "project" | "doc";
            /** @description Largest value, for `number`. `null` if there is no limit. */
            max?: number | null;
            /** @description Smallest value, for `number`. `null` if there is no limit. */
            min?: number | null;
            /** @description Name of the field, unique in the project (ignoring case). */
            name?: string;
            /** @description Values to choose from, for `select` and `multi_select`. Else empty. */
            options?: string[];
            /** @description Maximum number of decimal places, for `number`. `null` if there is no limit. */
            precision?: number | null;
            /** @description Position in its list: ranks sort bytewise. Treat it as opaque; send one only if a reply has shown it. */
            rank?: string;
            /** @description Whether an issue should have a value. A missing one is a warning, not an error. */
            required?: boolean;
        };
        CustomFieldValue: {
            /** @description Value as text for people. `null` if not set. */
            display_value: string | null;
            /**
             * Format: uuid
             * @description The custom field. Values in `custom_fields` of issues have it as their key.
             */
            field_id: string;
            /**
             * @description Kind of the field's values.
             * @enum {string}
             */
            kind: "text" | "number" | "select" | "multi_select" | "date" | "checkbox" | "url" | "user" | "project" | "doc";
            /** @description What people see as the field's name. It is unique in the project, and filters take it. */
            name: string;
            /**
             * Format: date-time
             * @description When the value was last set. `null` if never.
             */
            updated_at: string | null;
            /**
             * Format: uuid
             * @description User id of the person or agent who last set the value. `null` if never set.
             */
            updated_by: string | null;
            /** @description Value of the field for the issue; users and projects as ids. `null` if not set. */
            value: unknown;
        };
        CustomFieldValueInput: {
            /** @description New value, of the field's kind: a text, a number, a boolean, an option, a list of options, a day, or an id. `null` clears it. */
            value?: unknown;
        };
        DeleteApiKeyQuery: {
            /** @description Why the key is revoked; shown as `revoke_reason`. */
            reason?: string;
        };
        DeleteApiKeyResult: {
            /**
             * Format: uuid
             * @description Identifies the key for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * @description Always `true`.
             * @constant
             */
            revoked: true;
        };
        DeleteAttachmentResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description The attachment that is gone. Further calls with this id are answered with 404.
             */
            id: string;
        };
        DeleteAutomationResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description The automation that is gone. Further calls with this id are answered with 404.
             */
            id: string;
        };
        DeleteChatMemberResult: {
            /**
             * Format: uuid
             * @description The channel that the stream listens to.
             */
            channel_id: string;
            /**
             * @description Always `true`.
             * @constant
             */
            removed: true;
            /**
             * Format: uuid
             * @description User id of the person or agent who is no longer a member.
             */
            user_id: string;
        };
        DeleteChatMessageResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description The message that is gone. Further calls with this id are answered with 404.
             */
            id: string;
        };
        DeleteCommentResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description The comment that is gone. Further calls with this id are answered with 404.
             */
            id: string;
        };
        DeleteCustomFieldDefResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description Identifies the field for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description Number of issues that lost their value. */
            values_deleted: number;
        };
        DeleteDocCommentResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description The comment that is gone. Further calls with this id are answered with 404.
             */
            id: string;
        };
        DeleteDocResult: {
            /**
             * Format: date-time
             * @description When the doc was archived.
             */
            archived_at: string;
            /**
             * @description Always `true`. The doc is archived; `PATCH` with `archived: false` brings it back.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description Identifies the archived doc for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
        };
        DeleteDocWatcherResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description User id of the person or agent who no longer watches the issue.
             */
            user_id: string;
        };
        DeleteFormResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description The form that is gone. Further calls with this id are answered with 404.
             */
            id: string;
        };
        DeleteGoalResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description The goal that is gone.
             */
            id: string;
            /** @description Number of goals that were directly below and have no parent now. */
            orphaned_goal_count: number;
        };
        DeleteInviteResult: {
            /**
             * Format: uuid
             * @description Identifies the invite for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * @description Always `true`.
             * @constant
             */
            revoked: true;
        };
        DeleteKeyResultResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description The key result that is gone. Further calls with this id are answered with 404.
             */
            id: string;
        };
        DeleteLabelResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description The label that is gone. Further calls with this id are answered with 404.
             */
            id: string;
        };
        DeleteLinkResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description The link that is gone. Further calls with this id are answered with 404.
             */
            id: string;
        };
        DeleteMemberResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            removed: true;
            /**
             * Format: uuid
             * @description User id of the member who was removed.
             */
            user_id: string;
        };
        DeleteMilestoneResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description What is gone: the id of the milestone, sprint or release.
             */
            id: string;
            /** @description Number of issues that belonged to it. They stay, without it. */
            issues_detached: number;
        };
        DeleteOauthAppResult: {
            /** @description Id of the app in OAuth: a UUID, or the https address of the app's own metadata document. */
            client_id: string;
            /**
             * @description Always `true`.
             * @constant
             */
            revoked: true;
        };
        DeletePortfolioProjectResult: {
            /**
             * Format: uuid
             * @description Identifies the portfolio for good. A UUIDv7: later ones sort after earlier ones.
             */
            portfolio_id: string;
            /**
             * Format: uuid
             * @description The project whose progress counts in the portfolio.
             */
            project_id: string;
            /**
             * @description Always `true`.
             * @constant
             */
            removed: true;
        };
        DeletePortfolioResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description The portfolio that is gone.
             */
            id: string;
            /** @description Number of its goals. They are goals of the company now. */
            released_goal_count: number;
            /** @description Number of its projects. They stay as they are. */
            removed_project_count: number;
        };
        DeleteProjectMemberResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            removed: true;
            /**
             * Format: uuid
             * @description User id of the person or agent who was removed from the project.
             */
            user_id: string;
        };
        DeleteReleaseResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description What is gone: the id of the milestone, sprint or release.
             */
            id: string;
            /** @description Number of issues that belonged to it. They stay, without it. */
            issues_detached: number;
        };
        DeleteSavedViewResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description The view that is gone. Further calls with this id are answered with 404.
             */
            id: string;
        };
        DeleteSprintResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description What is gone: the id of the milestone, sprint or release.
             */
            id: string;
            /** @description Number of issues that belonged to it. They stay, without it. */
            issues_detached: number;
        };
        DeleteStatusResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description Identifies the column for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description Number of issues that were archived with the column. */
            issues_deleted: number;
        };
        DeleteTimeEntryResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description The entry that is gone. Further calls with this id are answered with 404.
             */
            id: string;
        };
        DeleteViewResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description The view that is gone. Further calls with this id are answered with 404.
             */
            id: string;
        };
        DeleteWatcherResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description User id of the person or agent who no longer watches the issue.
             */
            user_id: string;
        };
        DeleteWebhookResult: {
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description The webhook that is gone. Further calls with this id are answered with 404.
             */
            id: string;
        };
        DeleteWorkflowQuery: {
            /**
             * @description `true` cancels the open runs. Without it, a workflow with open runs is not deleted.
             * @enum {string}
             */
            cancel_runs?: "true" | "false";
        };
        DeleteWorkflowResult: {
            /** @description Number of runs that were open. They are cancelled shortly after the reply. */
            cancelled_runs: number;
            /**
             * @description Always `true`.
             * @constant
             */
            deleted: true;
            /**
             * Format: uuid
             * @description Identifies the deleted workflow for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
        };
        DisabledWebhook: {
            /** @description Number of messages in a row that failed. */
            consecutive_failures: number;
            /**
             * Format: date-time
             * @description When the webhook was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who created the webhook.
             */
            created_by: string;
            /** @description What the webhook is for. `null` if not described. */
            description: string | null;
            /**
             * Format: date-time
             * @description When the webhook was disabled. `null` if it is enabled.
             */
            disabled_at: string | null;
            /**
             * @description Why it was disabled: by a user, since the receiver answered 410, or since it failed too long. Else `null`.
             * @enum {string|null}
             */
            disabled_reason: "user" | "gone" | "failing" | "credential_ended" | null;
            /** @description Whether events are sent. */
            enabled: boolean;
            /** @description Events to send: names such as `issue.created`, groups such as `issue.*`, or `*` for all. */
            event_types: components["schemas"]["EventSubscription"][];
            /**
             * Format: uuid
             * @description Identifies the webhook for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the last attempt was made. `null` if none was made.
             */
            last_delivery_at: string | null;
            /** @description HTTP status of the last attempt. 0 if there was no answer; `null` if none was made. */
            last_delivery_status: number | null;
            /**
             * Format: date-time
             * @description When a message was last delivered. `null` if never.
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description Until when the previous secret signs messages, too. Earlier secrets sign until the time that their own rotation answered; at most three sign at a time. `null` if none does.
             */
            previous_secret_expires_at: string | null;
            /** @description Ids of the projects whose events are sent. `null` for all. */
            project_ids: string[] | null;
            /** @description First characters of the signing secret, to recognise it by. */
            secret_prefix: string;
            /**
             * Format: date-time
             * @description When the signing secret was last replaced. `null` if never.
             */
            secret_rotated_at: string | null;
            /**
             * @description State of the webhook. `failing`: attempts fail, and the webhook will be disabled if that goes on.
             * @enum {string}
             */
            status: "active" | "failing" | "disabled";
            /**
             * Format: date-time
             * @description When the webhook was last changed.
             */
            updated_at: string;
            /** @description Address that events are sent to. HTTPS, and reachable from the internet. */
            url: string;
        };
        Doc: {
            /**
             * Format: date-time
             * @description When the doc was archived. `null` if it is not.
             */
            archived_at: string | null;
            /** @description The JSON that was sent with the doc. `null` for none. Lists contain it only if `fields` names it, and events only if it is short. */
            body_json?: unknown;
            /** @description Text as Markdown. `null` if the doc has only `body_json`, and in lists unless `fields` names it. */
            body_md: string | null;
            /**
             * Format: date-time
             * @description When the doc was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who created the doc.
             */
            created_by: string;
            /** @description An emoji or a short word shown beside the title. `null` for none. */
            icon: string | null;
            /**
             * Format: uuid
             * @description Identifies the doc for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the doc that this one is listed below. Both are in the same project, or both in none. `null` for a doc on the top level. Also `null` if the caller cannot see that doc.
             */
            parent_id: string | null;
            /** @description Position among its siblings, for clients that let people sort docs. It does not affect lists. */
            position: number;
            /**
             * Format: uuid
             * @description Id of the project that the doc belongs to. `null` for a doc of the workspace.
             */
            project_id: string | null;
            /** @description Key of the project. `null` for a doc of the workspace. */
            project_key: string | null;
            /** @description What the doc is called in lists and in the tree. */
            title: string;
            /**
             * Format: date-time
             * @description When the doc was last changed.
             */
            updated_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who last changed the doc.
             */
            updated_by: string;
            /** @description Address of the doc's page. */
            url: string;
            /** @description Goes up with every change. Send it as `if_version` to change only what you have seen. */
            version: number;
            /**
             * @description `workspace`: everybody who sees the project or, without one, all members but guests. `private`: only the person who created it.
             * @enum {string}
             */
            visibility: "workspace" | "private";
            /** @description Number of words in the text. For long texts in scripts without spaces it is an estimate. */
            word_count: number;
        };
        DocComment: {
            /** @description The part of the doc that the comment is about. `null` if it is about the whole doc. */
            anchor: {
                /** @description Text of the doc, as it was when the comment was written. */
                quote: string;
            } | null;
            /** @description The person or agent who wrote the comment. */
            author: {
                /** @description Address of the person. `null` for an agent; absent for callers who are guests. */
                email?: string | null;
                /**
                 * Format: uuid
                 * @description User id of the person or agent.
                 */
                id: string;
                /** @description Name of the person or agent. `null` if they have not chosen one. */
                name: string | null;
            };
            /** @description Text as sanitised HTML. */
            body_html: string;
            /** @description Text as Markdown. Empty if the comment was deleted but has replies. */
            body_md: string;
            /**
             * Format: date-time
             * @description When the comment was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the comment was deleted. Deleted comments are listed only if they have replies; else `null`.
             */
            deleted_at: string | null;
            /**
             * Format: uuid
             * @description Id of the doc that the comment belongs to.
             */
            doc_id: string;
            /**
             * Format: date-time
             * @description When the text was last changed. `null` if never.
             */
            edited_at: string | null;
            /**
             * Format: uuid
             * @description Identifies the comment for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description People and agents that the text mentions. */
            mentions: {
                /**
                 * Format: uuid
                 * @description User id of the person or agent.
                 */
                id: string;
                /**
                 * @description Whether it is a person or an agent.
                 * @enum {string}
                 */
                kind: "user" | "agent";
            }[];
            /**
             * Format: uuid
             * @description Id of the comment that this one replies to. `null` if it is not a reply.
             */
            parent_id: string | null;
            /** @description Number of direct replies that are listed. */
            reply_count: number;
            /**
             * Format: date-time
             * @description When the comment was resolved. `null` if it is open.
             */
            resolved_at: string | null;
            /**
             * Format: date-time
             * @description When the comment was last changed.
             */
            updated_at: string;
        };
        DocCommentCreateInput: {
            /** @description The part of the doc that the comment is about. `null` if it is about the whole doc. */
            anchor?: {
                /** @description Text of the doc, as it was when the comment was written. */
                quote: string;
            } | null;
            /** @description Text as Markdown. `@[Name](user id)` mentions somebody who sees the doc; `#WEB-1` links an issue. */
            body_md: string;
            /** @description Id of the comment of the same doc to reply to. Replies can have replies. `null` for none. */
            parent_id?: string | null;
        };
        DocCommentPatchInput: {
            /** @description Text as Markdown. `@[Name](user id)` mentions somebody who sees the doc; `#WEB-1` links an issue. */
            body_md?: string;
            /** @description `true` resolves the comment, `false` opens it again. */
            resolved?: boolean;
        };
        DocCreateInput: {
            /** @description Any JSON, such as the tree of a rich-text editor. It is returned as it was sent. If only `body_json` is sent and it is a tree `{type: "doc", content: […]}`, `body_md` is made from it; other JSON sets `body_md` to `null`. If only `body_md` is sent, `body_json` becomes `null`. */
            body_json?: unknown;
            /** @description Text as Markdown, up to 524,288 characters. */
            body_md?: string | null;
            /** @description An emoji or a short word shown beside the title. `null` for none. */
            icon?: string | null;
            /** @description Id of the doc that this one is listed below. Both are in the same project, or both in none. `null` for a doc on the top level. */
            parent_id?: string | null;
            /** @description Position among its siblings, for clients that let people sort docs. It does not affect lists. */
            position?: number;
            /** @description Key, slug or id of the project that the doc belongs to. `null` for a doc of the workspace. */
            project?: string | null;
            /** @description What the doc is called in lists and in the tree. Default: `Untitled`. */
            title?: string;
            /**
             * @description `workspace`: everybody who sees the project or, without one, all members but guests. `private`: only the person who created it.
             * @enum {string}
             */
            visibility?: "workspace" | "private";
        };
        DocExport: {
            /** @description The file: the text itself, or a PDF in base64. */
            content: string;
            /** @description Media type of the file. */
            content_type: string;
            /**
             * @description How `content` contains the file.
             * @enum {string}
             */
            encoding: "utf8" | "base64";
            /** @description Name for the file, made from the doc's title. */
            filename: string;
            /**
             * @description What the file is to be: Markdown, HTML or PDF.
             * @enum {string}
             */
            format: "md" | "html" | "pdf";
        };
        DocPatchInput: {
            /** @description Text to add to the end of `body_md`. It begins on a new line, unless the text is empty or ends with a line break. Begin it with an empty line to start a new paragraph. `body_json` becomes `null`. */
            append?: string;
            /** @description `true` archives the doc, `false` brings it back. */
            archived?: boolean;
            /** @description Any JSON, such as the tree of a rich-text editor. It is returned as it was sent. If only `body_json` is sent and it is a tree `{type: "doc", content: […]}`, `body_md` is made from it; other JSON sets `body_md` to `null`. If only `body_md` is sent, `body_json` becomes `null`. */
            body_json?: unknown;
            /** @description Text as Markdown, up to 524,288 characters. */
            body_md?: string | null;
            /** @description An emoji or a short word shown beside the title. `null` for none. */
            icon?: string | null;
            /** @description `version` of the doc that you have seen. If it has changed since, the call is refused with 409. */
            if_version?: number;
            /** @description Id of the doc that this one is listed below. Both are in the same project, or both in none. `null` for a doc on the top level. */
            parent_id?: string | null;
            /** @description Position among its siblings, for clients that let people sort docs. It does not affect lists. */
            position?: number;
            /** @description Key, slug or id of the project that the doc belongs to. `null` for a doc of the workspace. */
            project?: string | null;
            /** @description Up to 20 replacements in `body_md`, made one after the other. Each `find` must occur exactly once. `body_json` becomes `null`. */
            replace?: {
                /** @description Text to find, up to 65,536 characters. Upper and lower case and white space count. */
                find: string;
                /** @description Text to put in its place. */
                with: string;
            }[];
            /** @description `true` keeps this state as a version of its own, which later edits do not overwrite. */
            snapshot?: boolean;
            /** @description What the doc is called in lists and in the tree. */
            title?: string;
            /**
             * @description `workspace`: everybody who sees the project or, without one, all members but guests. `private`: only the person who created it.
             * @enum {string}
             */
            visibility?: "workspace" | "private";
        };
        DocVersion: {
            /** @description The JSON that the doc had. `null` for none. */
            body_json?: unknown;
            /** @description Text as Markdown. `null` if the doc had only `body_json`. */
            body_md: string | null;
            /**
             * Format: date-time
             * @description When the version was created.
             */
            created_at: string;
            /** @description The person or agent who made the version. */
            created_by: {
                /** @description Address of the person. `null` for an agent; absent for callers who are guests. */
                email?: string | null;
                /**
                 * Format: uuid
                 * @description User id of the person or agent.
                 */
                id: string;
                /** @description Name of the person or agent. `null` if they have not chosen one. */
                name: string | null;
            };
            /**
             * Format: uuid
             * @description The doc whose text this was.
             */
            doc_id: string;
            /**
             * Format: uuid
             * @description Identifies the version for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description Number of the version: the doc's first one is 1. It is not the doc's `version`, which counts every change. */
            number: number;
            /**
             * @description `edit`: a change. `restore`: an earlier version was restored. `import`: the doc was imported.
             * @enum {string}
             */
            reason: "edit" | "restore" | "import";
            /** @description Title that the doc had then. */
            title: string;
        };
        DocVersionSummary: {
            /** @description How many characters the text of the version has. */
            body_md_length: number;
            /**
             * Format: date-time
             * @description When the version was created.
             */
            created_at: string;
            /** @description The person or agent who made the version. */
            created_by: {
                /** @description Address of the person. `null` for an agent; absent for callers who are guests. */
                email?: string | null;
                /**
                 * Format: uuid
                 * @description User id of the person or agent.
                 */
                id: string;
                /** @description Name of the person or agent. `null` if they have not chosen one. */
                name: string | null;
            };
            /**
             * Format: uuid
             * @description The doc whose text this was.
             */
            doc_id: string;
            /**
             * Format: uuid
             * @description Identifies the version for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description Number of the version: the doc's first one is 1. It is not the doc's `version`, which counts every change. */
            number: number;
            /**
             * @description `edit`: a change. `restore`: an earlier version was restored. `import`: the doc was imported.
             * @enum {string}
             */
            reason: "edit" | "restore" | "import";
            /** @description Title that the doc had then. */
            title: string;
        };
        /** @description The name of an event, a group such as `issue.*`, or `*` for all events. Names are added over time. */
        EventSubscription: ("*" | "agent.*" | "agent.connected" | "agent.revoked" | "agent.spend_cap_reached" | "agent.spend_warning" | "agent.updated" | "agent_session.*" | "agent_session.created" | "agent_session.state_changed" | "agent_session.updated" | "api_key.*" | "api_key.created" | "api_key.revoked" | "automation.*" | "automation.created" | "automation.deleted" | "automation.disabled" | "automation.fired" | "automation.updated" | "automation_run.*" | "automation_run.failed" | "chat.*" | "chat.message.*" | "chat.message.created" | "chat.message.deleted" | "chat.message.updated" | "comment.*" | "comment.created" | "comment.deleted" | "comment.updated" | "credits.*" | "credits.charge_refunded" | "credits.low" | "credits.purchased" | "custom_field.*" | "custom_field.created" | "custom_field.deleted" | "custom_field.updated" | "doc.*" | "doc.archived" | "doc.comment.*" | "doc.comment.created" | "doc.comment.deleted" | "doc.comment.updated" | "doc.created" | "doc.restored" | "doc.updated" | "form.*" | "form.created" | "form.deleted" | "form.submitted" | "form.updated" | "goal.*" | "goal.created" | "goal.deleted" | "goal.status_changed" | "goal.updated" | "invite.*" | "invite.accepted" | "invite.created" | "invite.revoked" | "issue.*" | "issue.archived" | "issue.assigned" | "issue.attachment.*" | "issue.attachment.created" | "issue.attachment.deleted" | "issue.created" | "issue.link.*" | "issue.link.created" | "issue.link.deleted" | "issue.priority_changed" | "issue.restored" | "issue.status_changed" | "issue.unassigned" | "issue.updated" | "key_result.*" | "key_result.created" | "key_result.deleted" | "key_result.updated" | "label.*" | "label.created" | "label.deleted" | "label.updated" | "member.*" | "member.added" | "member.removed" | "member.role_changed" | "milestone.*" | "milestone.completed" | "milestone.created" | "milestone.deleted" | "milestone.updated" | "portfolio.*" | "portfolio.created" | "portfolio.deleted" | "portfolio.updated" | "project.*" | "project.archived" | "project.created" | "project.member.*" | "project.member.added" | "project.member.removed" | "project.member.role_changed" | "project.restored" | "project.updated" | "release.*" | "release.created" | "release.deleted" | "release.released" | "release.updated" | "sprint.*" | "sprint.completed" | "sprint.created" | "sprint.deleted" | "sprint.started" | "sprint.updated" | "status.*" | "status.created" | "status.deleted" | "status.updated" | "webhook.*" | "webhook.disabled" | "webhook.test" | "workflow.*" | "workflow.deleted" | "workflow.disabled" | "workflow.enabled" | "workflow_run.*" | "workflow_run.cancelled" | "workflow_run.completed" | "workflow_run.failed" | "workflow_run.stage_changed" | "workflow_run.started" | "workspace.*" | "workspace.updated") | string;
        FieldError: {
            /** @description Values that are allowed. */
            allowed?: unknown[];
            /** @description Why it is not valid, such as `required`, `type`, `too_long` or `not_allowed`. */
            code: string;
            /** @description The allowed value or name that is closest to what was sent. */
            did_you_mean?: string;
            /** @description What is wrong with the value, for people. */
            message: string;
            /** @description JSON pointer into the body, or `/` and the name of a parameter. */
            path: string;
        };
        FixedCreditsInput: Record<string, never>;
        Form: {
            /** @description Color of the public page as `#RRGGBB`. `null` for the standard color. */
            accent_color: string | null;
            /** @description Whether the form accepts answers now. */
            accepting: boolean;
            /**
             * @description Who can open the public page: anyone, members of the workspace, or the addresses in `allowed_emails`.
             * @enum {string}
             */
            access_mode: "anyone" | "members" | "invited";
            /** @description E-mail addresses that can open the form, for `invited`. */
            allowed_emails: string[];
            /**
             * Format: date-time
             * @description When the form stops accepting answers. `null` if never.
             */
            close_at: string | null;
            /** @description Whether people get a mail that confirms their submission. */
            confirmation_email: boolean;
            /**
             * @description What follows a submission: a message, or a redirect to `redirect_url`.
             * @enum {string}
             */
            confirmation_mode: "message" | "redirect";
            /**
             * Format: date-time
             * @description When the form was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who created the form.
             */
            created_by: string;
            /**
             * Format: uuid
             * @description User id of whom new issues are assigned to. `null` for the project's default assignee.
             */
            default_assignee_id: string | null;
            /** @description Ids of the labels that new issues get. */
            default_label_ids: string[];
            /**
             * Format: uuid
             * @description Id of the sprint that new issues go to. `null` for none.
             */
            default_sprint_id: string | null;
            /**
             * Format: uuid
             * @description Id of the column that new issues go to. `null` for the project's default column.
             */
            default_status_id: string | null;
            /** @description Text below the title. `null` if none. */
            description: string | null;
            /**
             * @description Why the form takes no answers although it is published: `credential_ended` if the key that last defined it was revoked or has expired, or if its person is no longer an admin. `null` if nothing is wrong.
             * @enum {string|null}
             */
            disabled_reason: "credential_ended" | null;
            /** @description What the form asks, from top to bottom. */
            fields: components["schemas"]["FormField"][];
            /** @description Whether the public page asks for a password. */
            has_password: boolean;
            /** @description Text above the form. `null` if none. */
            header_text: string | null;
            /**
             * Format: uuid
             * @description Identifies the form for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * @description Type that issues made by submissions get.
             * @enum {string}
             */
            issue_type: "task" | "story" | "bug";
            /** @description Whether the form's creator gets a mail about each submission. */
            notify_submission: boolean;
            /** @description Whether each e-mail address can submit the form only once. */
            one_per_email: boolean;
            /**
             * @description Priority of the issues that submissions create, unless an answer sets it.
             * @enum {string}
             */
            priority: "lowest" | "low" | "medium" | "high" | "highest" | "critical";
            /** @description Whether the form has a public page. */
            public_enabled: boolean;
            /** @description Address that people are sent to after a submission, for `redirect`. `null` if none. */
            redirect_url: string | null;
            /** @description Maximum number of submissions that the form accepts. `null` for no limit. */
            response_limit: number | null;
            /** @description Address of the public page. `null` while there is none. */
            share_url: string | null;
            /** @description Whether the public page shows the project's name. */
            show_project_header: boolean;
            /**
             * @description State of the form. Only a published form accepts answers from everybody.
             * @enum {string}
             */
            status: "draft" | "published" | "closed";
            /** @description How many submissions arrived so far. `response_limit` is compared with it. */
            submission_count: number;
            /** @description Text shown after a submission. `null` for a standard text. */
            success_message: string | null;
            /** @description What people see above the form. */
            title: string;
            /**
             * Format: date-time
             * @description When the form was last changed.
             */
            updated_at: string;
        };
        FormCreateInput: {
            /** @description Color of the public page as `#RRGGBB`. `null` for the standard color. */
            accent_color?: string | null;
            /**
             * @description Who can open the public page: anyone, members of the workspace, or the addresses in `allowed_emails`.
             * @enum {string}
             */
            access_mode?: "anyone" | "members" | "invited";
            /** @description E-mail addresses that can open the form, for `invited`. */
            allowed_emails?: string[];
            /** @description When the form stops accepting answers: `YYYY-MM-DD` (midnight UTC) or a date-time with offset. `null` for never. */
            close_at?: string | null;
            /** @description Whether people get a mail that confirms their submission. */
            confirmation_email?: boolean;
            /**
             * @description What follows a submission: a message, or a redirect to `redirect_url`.
             * @enum {string}
             */
            confirmation_mode?: "message" | "redirect";
            /** @description Whom new issues are assigned to: user id, e-mail address or `me`. `null` for the project's default assignee. */
            default_assignee_id?: string | null;
            /** @description Labels that new issues get, by id or name. */
            default_label_ids?: string[];
            /** @description Id of the sprint that new issues go to. `null` for none. */
            default_sprint_id?: string | null;
            /** @description Id of the column that new issues go to. `null` for the project's default column. */
            default_status_id?: string | null;
            /** @description Text below the title. `null` if none. */
            description?: string | null;
            /** @description What the form asks, from top to bottom. */
            fields?: components["schemas"]["FormFieldInput"][];
            /** @description Text above the form. `null` if none. */
            header_text?: string | null;
            /**
             * @description Type that issues made by submissions get.
             * @enum {string}
             */
            issue_type?: "task" | "story" | "bug";
            /** @description Whether the form's creator gets a mail about each submission. */
            notify_submission?: boolean;
            /** @description Whether each e-mail address can submit the form only once. */
            one_per_email?: boolean;
            /** @description Password that the public page asks for. It is never shown. `null` removes it. */
            password?: string | null;
            /**
             * @description Priority of the issues that submissions create, unless an answer sets it.
             * @enum {string}
             */
            priority?: "lowest" | "low" | "medium" | "high" | "highest" | "critical";
            /** @description Whether the form has a public page. */
            public_enabled?: boolean;
            /** @description Address that people are sent to after a submission, for `redirect`. `null` if none. */
            redirect_url?: string | null;
            /** @description Maximum number of submissions that the form accepts. `null` for no limit. */
            response_limit?: number | null;
            /** @description Whether the public page shows the project's name. */
            show_project_header?: boolean;
            /**
             * @description State of the form. Only a published form accepts answers from everybody.
             * @enum {string}
             */
            status?: "draft" | "published" | "closed";
            /** @description Text shown after a submission. `null` for a standard text. */
            success_message?: string | null;
            /** @description What people see above the form. */
            title: string;
        };
        FormField: {
            /**
             * Format: date-time
             * @description When the field was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description Id of the project's custom field that the answer sets. `null` if none. A custom field of users, projects or docs needs a `select` or `radio`, each of whose options names one: by name, or by e-mail address, key or id if several have the name.
             */
            custom_field_id: string | null;
            /** @description Answer that is filled in at first. `null` if none. */
            default_value: string | null;
            /** @description Explanation below the question. `null` if none. */
            help_text: string | null;
            /**
             * Format: uuid
             * @description Identifies the field for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * @description Decides which input people see and which answers are taken.
             * @enum {string}
             */
            kind: "short_text" | "long_text" | "select" | "multi_select" | "number" | "date" | "email" | "radio" | "phone" | "url" | "rating" | "section" | "file" | "checkbox";
            /** @description Question that the form asks. */
            label: string;
            /**
             * @description Field of the new issue that the answer sets.
             * @enum {string}
             */
            mapping: "none" | "title" | "description" | "priority";
            /** @description Longest answer in characters. `null` for the kind's own limit. */
            max_length: number | null;
            /** @description Largest answer, for `number` and `rating`. `null` if there is no limit. */
            max_value: number | null;
            /** @description Smallest answer, for `number` and `rating`. `null` if there is no limit. */
            min_value: number | null;
            /** @description Answers to choose from, for `select`, `multi_select` and `radio`. Else empty. */
            options: string[];
            /** @description Text in the empty field. `null` if none. */
            placeholder: string | null;
            /** @description Place in the form; the first field has 0. Visibility rules may refer to a field by it. */
            position: number;
            /** @description Whether the field must be answered. */
            required: boolean;
            /** @description Shows the field only if an earlier answer meets this rule. `null` to show it always. */
            visibility_rule: {
                /**
                 * Format: uuid
                 * @description Id of the earlier field.
                 */
                field: string;
                /**
                 * @description How the answer is compared.
                 * @enum {string}
                 */
                op: "is" | "is_not" | "contains" | "is_set" | "is_empty";
                /** @description Value to compare the answer with. `null` for `is_set` and `is_empty`. */
                value: string | number | boolean | null;
            } | null;
        };
        FormFieldInput: {
            /** @description Id of the project's custom field that the answer sets. `null` if none. A custom field of users, projects or docs needs a `select` or `radio`, each of whose options names one: by name, or by e-mail address, key or id if several have the name. */
            custom_field_id?: string | null;
            /** @description Answer that is filled in at first. `null` if none. */
            default_value?: string | null;
            /** @description Explanation below the question. `null` if none. */
            help_text?: string | null;
            /**
             * @description Decides which input people see and which answers are taken.
             * @enum {string}
             */
            kind: "short_text" | "long_text" | "select" | "multi_select" | "number" | "date" | "email" | "radio" | "phone" | "url" | "rating" | "section" | "file" | "checkbox";
            /** @description Question that the form asks. */
            label: string;
            /**
             * @description Field of the new issue that the answer sets.
             * @enum {string}
             */
            mapping?: "none" | "title" | "description" | "priority";
            /** @description Longest answer in characters. `null` for the kind's own limit. */
            max_length?: number | null;
            /** @description Largest answer, for `number` and `rating`. `null` if there is no limit. */
            max_value?: number | null;
            /** @description Smallest answer, for `number` and `rating`. `null` if there is no limit. */
            min_value?: number | null;
            /** @description Answers to choose from, at least one, for `select`, `multi_select` and `radio`. */
            options?: string[];
            /** @description Text in the empty field. `null` if none. */
            placeholder?: string | null;
            /** @description Whether the field must be answered. */
            required?: boolean;
            /** @description Shows the field only if an earlier answer meets this rule. `null` to show it always. */
            visibility_rule?: {
                /** @description Earlier field, by id or by position from 0. */
                field: number | string;
                /**
                 * @description How the answer is compared.
                 * @enum {string}
                 */
                op: "is" | "is_not" | "contains" | "is_set" | "is_empty";
                /** @description Value to compare the answer with. `null` for `is_set` and `is_empty`. */
                value?: string | number | boolean | null;
            } | null;
        };
        FormFieldPatchInput: {
            /** @description Ignored in bodies. */
            created_at?: string;
            /** @description Id of the project's custom field that the answer sets. `null` if none. A custom field of users, projects or docs needs a `select` or `radio`, each of whose options names one: by name, or by e-mail address, key or id if several have the name. */
            custom_field_id?: string | null;
            /** @description Answer that is filled in at first. `null` if none. */
            default_value?: string | null;
            /** @description Explanation below the question. `null` if none. */
            help_text?: string | null;
            /** @description Id of a field to keep, with its answers. What you leave out of it does not change. */
            id?: string;
            /**
             * @description Decides which input people see and which answers are taken.
             * @enum {string}
             */
            kind?: "short_text" | "long_text" | "select" | "multi_select" | "number" | "date" | "email" | "radio" | "phone" | "url" | "rating" | "section" | "file" | "checkbox";
            /** @description Question that the form asks. */
            label?: string;
            /**
             * @description Field of the new issue that the answer sets.
             * @enum {string}
             */
            mapping?: "none" | "title" | "description" | "priority";
            /** @description Longest answer in characters. `null` for the kind's own limit. */
            max_length?: number | null;
            /** @description Largest answer, for `number` and `rating`. `null` if there is no limit. */
            max_value?: number | null;
            /** @description Smallest answer, for `number` and `rating`. `null` if there is no limit. */
            min_value?: number | null;
            /** @description Answers to choose from, at least one, for `select`, `multi_select` and `radio`. */
            options?: string[];
            /** @description Text in the empty field. `null` if none. */
            placeholder?: string | null;
            /** @description Ignored in bodies: the order of the list counts. */
            position?: number;
            /** @description Whether the field must be answered. */
            required?: boolean;
            /** @description Shows the field only if an earlier answer meets this rule. `null` to show it always. */
            visibility_rule?: {
                /** @description Earlier field, by id or by position from 0. */
                field: number | string;
                /**
                 * @description How the answer is compared.
                 * @enum {string}
                 */
                op: "is" | "is_not" | "contains" | "is_set" | "is_empty";
                /** @description Value to compare the answer with. `null` for `is_set` and `is_empty`. */
                value?: string | number | boolean | null;
            } | null;
        };
        FormPatchInput: {
            /** @description Color of the public page as `#RRGGBB`. `null` for the standard color. */
            accent_color?: string | null;
            /**
             * @description Who can open the public page: anyone, members of the workspace, or the addresses in `allowed_emails`.
             * @enum {string}
             */
            access_mode?: "anyone" | "members" | "invited";
            /** @description E-mail addresses that can open the form, for `invited`. */
            allowed_emails?: string[];
            /** @description When the form stops accepting answers: `YYYY-MM-DD` (midnight UTC) or a date-time with offset. `null` for never. */
            close_at?: string | null;
            /** @description Whether people get a mail that confirms their submission. */
            confirmation_email?: boolean;
            /**
             * @description What follows a submission: a message, or a redirect to `redirect_url`.
             * @enum {string}
             */
            confirmation_mode?: "message" | "redirect";
            /** @description Whom new issues are assigned to: user id, e-mail address or `me`. `null` for the project's default assignee. */
            default_assignee_id?: string | null;
            /** @description Labels that new issues get, by id or name. */
            default_label_ids?: string[];
            /** @description Id of the sprint that new issues go to. `null` for none. */
            default_sprint_id?: string | null;
            /** @description Id of the column that new issues go to. `null` for the project's default column. */
            default_status_id?: string | null;
            /** @description Text below the title. `null` if none. */
            description?: string | null;
            /** @description All fields of the form, in their new order. Fields that you leave out are removed. */
            fields?: components["schemas"]["FormFieldPatchInput"][];
            /** @description Text above the form. `null` if none. */
            header_text?: string | null;
            /**
             * @description Type that issues made by submissions get.
             * @enum {string}
             */
            issue_type?: "task" | "story" | "bug";
            /** @description Whether the form's creator gets a mail about each submission. */
            notify_submission?: boolean;
            /** @description Whether each e-mail address can submit the form only once. */
            one_per_email?: boolean;
            /** @description Password that the public page asks for. It is never shown. `null` removes it. */
            password?: string | null;
            /**
             * @description Priority of the issues that submissions create, unless an answer sets it.
             * @enum {string}
             */
            priority?: "lowest" | "low" | "medium" | "high" | "highest" | "critical";
            /** @description Whether the form has a public page. */
            public_enabled?: boolean;
            /** @description Address that people are sent to after a submission, for `redirect`. `null` if none. */
            redirect_url?: string | null;
            /** @description Maximum number of submissions that the form accepts. `null` for no limit. */
            response_limit?: number | null;
            /** @description Whether the public page shows the project's name. */
            show_project_header?: boolean;
            /**
             * @description State of the form. Only a published form accepts answers from everybody.
             * @enum {string}
             */
            status?: "draft" | "published" | "closed";
            /** @description Text shown after a submission. `null` for a standard text. */
            success_message?: string | null;
            /** @description What people see above the form. */
            title?: string;
        };
        FormSubmission: {
            /** @description What was answered: the id of each form field with its value. */
            answers: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the form was submitted.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description The issue that the submission made. `null` if it made none.
             */
            created_issue_id: string | null;
            /** @description That issue as `KEY-N`. `null` if there is none. */
            created_issue_key: string | null;
            /**
             * Format: uuid
             * @description The form that was filled in.
             */
            form_id: string;
            /**
             * Format: uuid
             * @description Identifies the submission for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * @description Whether it came through the public page or the API.
             * @enum {string}
             */
            source: "public" | "internal";
            /** @description E-mail address of the submitter. `null` if they gave none. */
            submitter_email: string | null;
            /**
             * Format: uuid
             * @description User id of the submitter. `null` if they were not signed in.
             */
            submitter_user_id: string | null;
        };
        FormSubmissionCreateInput: {
            /** @description What was answered: the id of each form field with its value. */
            answers: {
                [key: string]: unknown;
            };
            /**
             * Format: email
             * @description E-mail address of the submitter. `null` if not known.
             */
            submitter_email?: string | null;
        };
        FormSummary: {
            /** @description Whether the form accepts answers now. */
            accepting: boolean;
            /**
             * Format: date-time
             * @description When the form was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who created the form.
             */
            created_by: string;
            /** @description Text below the title. `null` if none. */
            description: string | null;
            /**
             * @description Why the form takes no answers although it is published: `credential_ended` if the key that last defined it was revoked or has expired, or if its person is no longer an admin. `null` if nothing is wrong.
             * @enum {string|null}
             */
            disabled_reason: "credential_ended" | null;
            /**
             * Format: uuid
             * @description Identifies the form for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description Whether the form has a public page. */
            public_enabled: boolean;
            /** @description Address of the public page. `null` while there is none. */
            share_url: string | null;
            /**
             * @description State of the form. Only a published form accepts answers from everybody.
             * @enum {string}
             */
            status: "draft" | "published" | "closed";
            /** @description How many submissions arrived so far. `response_limit` is compared with it. */
            submission_count: number;
            /** @description What people see above the form. */
            title: string;
            /**
             * Format: date-time
             * @description When the form was last changed.
             */
            updated_at: string;
        };
        GetAgentEventListenQuery: {
            /** @description Replays events since this time before the stream goes on with new ones, at most of the last 24 hours. The header `Last-Event-ID` wins over it. */
            since?: string;
        };
        GetAgentSessionQuery: {
            /**
             * @description `true` also marks your notifications about the object as read. This needs the scope `notifications:write`.
             * @default false
             * @enum {string}
             */
            mark_read?: "true" | "false";
        };
        GetApiKeyUsageQuery: {
            /**
             * Format: date
             * @description First day (UTC), as `YYYY-MM-DD`. Default: 30 days before `to`. If more than 90 days are requested, the last 90 of them are returned.
             */
            from?: string;
            /**
             * Format: date
             * @description Last day (UTC), as `YYYY-MM-DD`. Default, and at the latest: today.
             */
            to?: string;
            /**
             * @description Width of the picture in pixels, if Accept names `image/svg+xml`. Its height follows from what it shows.
             * @default 760
             */
            width?: number;
        };
        GetChatChannelQuery: {
            /**
             * @description `true` also marks your notifications about the object as read. This needs the scope `notifications:write`.
             * @default false
             * @enum {string}
             */
            mark_read?: "true" | "false";
        };
        GetDocExportQuery: {
            /**
             * @description Format of the file: `md`, `html` (one file that requests nothing when it is opened) or `pdf`. Default: the one that `Accept` names, else `md`. For each 64 KiB of text that is begun, `html` costs 2 more rate limit units and `pdf` 5. A PDF has letters of all scripts that Unicode recommends for general use (such as Latin, Arabic, Chinese, Thai or Tamil) and emoji. Other characters are boxes in it, and the warning `characters_without_font` names them.
             * @enum {string}
             */
            format?: "md" | "html" | "pdf";
        };
        GetDocQuery: {
            /**
             * @description `true` also marks your notifications about the object as read. This needs the scope `notifications:write`.
             * @default false
             * @enum {string}
             */
            mark_read?: "true" | "false";
        };
        GetGoalQuery: {
            /**
             * @description `true` also marks your notifications about the object as read. This needs the scope `notifications:write`.
             * @default false
             * @enum {string}
             */
            mark_read?: "true" | "false";
            /**
             * @description Width of the picture in pixels, if Accept names `image/svg+xml`. Its height follows from what it shows.
             * @default 760
             */
            width?: number;
        };
        GetIssueByKeyQuery: {
            /**
             * @description `true` also marks your notifications about the object as read. This needs the scope `notifications:write`.
             * @default false
             * @enum {string}
             */
            mark_read?: "true" | "false";
        };
        GetIssueQuery: {
            /**
             * @description `true` also marks your notifications about the object as read. This needs the scope `notifications:write`.
             * @default false
             * @enum {string}
             */
            mark_read?: "true" | "false";
        };
        GetReportQuery: {
            /**
             * @description Whether a CSV file begins with the mark of UTF-8, which spreadsheets need. `false` leaves it out.
             * @default true
             * @enum {string}
             */
            bom?: "true" | "false";
            /**
             * Format: date
             * @description First day that counts, for `velocity` (sprints that began then), `cycle-time` and `throughput`. Default: 90 days before `to` for `cycle-time`, twelve periods for `throughput`, the last 12 sprints for `velocity`.
             */
            from?: string;
            /**
             * @description Length of the periods of `throughput` (default: `week`), or of `periods` in `cycle-time`: `day`, `week` (from Monday) or `month`, at most 366 of them. `from` and `to` cut the first and the last one.
             * @enum {string}
             */
            interval?: "day" | "week" | "month";
            /** @description Id or name of a sprint, or `active`: the sprint of a `burndown`, also of one that is over. `status-breakdown`, `type-breakdown` and `workload` count only the sprint's issues. */
            sprint?: string;
            /**
             * Format: date
             * @description Last day that counts, for the same reports. Default: today.
             */
            to?: string;
            /** @description Time zone (IANA) whose days, weeks and months count. Default: the `timezone` of the workspace. */
            tz?: string;
            /**
             * @description Width of the picture in pixels, if Accept names `image/svg+xml`. Its height follows from what it shows.
             * @default 760
             */
            width?: number;
        };
        Goal: {
            /**
             * Format: date-time
             * @description When the goal was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who created the goal.
             */
            created_by: string;
            /**
             * Format: date-time
             * @description When the goal is due. `null` if not set.
             */
            cycle_due_at: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `cycle_due_at` is a whole day. `null` if it is an instant, or not set.
             */
            cycle_due_on: string | null;
            /**
             * Format: date-time
             * @description When work towards the goal starts. `null` if not set.
             */
            cycle_start_at: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `cycle_start_at` is a whole day. `null` if it is an instant, or not set.
             */
            cycle_start_on: string | null;
            /** @description What the goal means and how to tell that it is reached, as Markdown. `null` if nobody said. */
            description_md: string | null;
            /** @description Share of the cycle that is over, in whole percent. `null` if a date is missing. */
            expected_progress_pct: number | null;
            /**
             * Format: uuid
             * @description Identifies the goal for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who is responsible for the goal. `null` if nobody is.
             */
            owner_user_id: string | null;
            /**
             * Format: uuid
             * @description Id of the goal above. `null` if there is none. Goals have at most 10 levels.
             */
            parent_goal_id: string | null;
            /**
             * Format: uuid
             * @description Id of the portfolio that the goal belongs to. `null` for a goal of the company.
             */
            portfolio_id: string | null;
            /** @description Progress in percent (0 to 100) that a person has set. `null`: it follows from key results and goals below. */
            progress_override: number | null;
            /** @description Progress in whole percent. 100 only if all is done, 0 only if nothing is. `null` if nothing is measured. */
            progress_pct: number | null;
            /**
             * @description Status: the one in `status_override`, else computed by comparing the progress with the share of the cycle that is over.
             * @enum {string}
             */
            status: "on_track" | "at_risk" | "off_track" | "done" | "not_started";
            /**
             * @description Status that a person has set. `null`: the status follows from the progress and the dates.
             * @enum {string|null}
             */
            status_override: "on_track" | "at_risk" | "off_track" | "done" | null;
            /** @description What is to be reached, in a sentence for people. */
            title: string;
            /**
             * Format: date-time
             * @description When the goal was last changed.
             */
            updated_at: string;
            /** @description Counts the changes of the goal's own fields, from 1. Send it as `if_version` to change only what you have seen. */
            version: number;
            /** @description Weight of the goal in the progress of the goal above. Above 0, at most 999. */
            weight: number;
            /**
             * Format: uuid
             * @description The workspace whose members pursue the goal.
             */
            workspace_id: string;
        };
        GoalCreateInput: {
            /** @description When the goal is due, not before the start: `YYYY-MM-DD` (the whole day) or a date-time with offset. `null` clears it. */
            cycle_due_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `cycle_due_at` is a whole day. `null` if it is an instant, or not set.
             */
            cycle_due_on?: string | null;
            /** @description When work towards the goal starts: `YYYY-MM-DD` (a whole day) or a date-time with offset. `null` clears it. */
            cycle_start_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `cycle_start_at` is a whole day. `null` if it is an instant, or not set.
             */
            cycle_start_on?: string | null;
            /** @description What the goal means and how to tell that it is reached, as Markdown. `null` if nobody said. */
            description_md?: string | null;
            /** @description Who is responsible for the goal: user id, e-mail or `me`. If it is missing on creation: the caller. `null`: nobody. */
            owner_user_id?: string | null;
            /** @description Id of the goal above. `null` if there is none. Goals have at most 10 levels. */
            parent_goal_id?: string | null;
            /** @description Id of the portfolio that the goal belongs to. `null` for a goal of the company. */
            portfolio_id?: string | null;
            /** @description Progress in percent (0 to 100) that a person has set. `null`: it follows from key results and goals below. */
            progress_override?: number | null;
            /**
             * @description Status that a person has set. `null`: the status follows from the progress and the dates.
             * @enum {string|null}
             */
            status_override?: "on_track" | "at_risk" | "off_track" | "done" | null;
            /** @description What is to be reached, in a sentence for people. */
            title: string;
            /** @description Weight of the goal in the progress of the goal above. Above 0, at most 999. Default: `1`. */
            weight?: number;
        };
        GoalDetail: {
            /** @description The goals directly below, newest first; at most 1,000. */
            children: {
                /**
                 * Format: uuid
                 * @description Identifies the goal for good. A UUIDv7: later ones sort after earlier ones.
                 */
                id: string;
                /** @description Progress in whole percent. 100 only if all is done, 0 only if nothing is. `null` if nothing is measured. */
                progress_pct: number | null;
                /**
                 * @description How the goal stands: the override if one is set, else derived from progress and time.
                 * @enum {string}
                 */
                status: "on_track" | "at_risk" | "off_track" | "done" | "not_started";
                /** @description What the input measures or wants to reach, for people. */
                title: string;
            }[];
            /**
             * Format: date-time
             * @description When the goal was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who created the goal.
             */
            created_by: string;
            /**
             * Format: date-time
             * @description When the goal is due. `null` if not set.
             */
            cycle_due_at: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `cycle_due_at` is a whole day. `null` if it is an instant, or not set.
             */
            cycle_due_on: string | null;
            /**
             * Format: date-time
             * @description When work towards the goal starts. `null` if not set.
             */
            cycle_start_at: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `cycle_start_at` is a whole day. `null` if it is an instant, or not set.
             */
            cycle_start_on: string | null;
            /** @description What the goal means and how to tell that it is reached, as Markdown. `null` if nobody said. */
            description_md: string | null;
            /** @description Share of the cycle that is over, in whole percent. `null` if a date is missing. */
            expected_progress_pct: number | null;
            /**
             * Format: uuid
             * @description Identifies the goal for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description The goal's key results, newest first. */
            key_results: {
                /** @description Value now. `null` if not known. */
                current_value: number | null;
                /**
                 * Format: uuid
                 * @description Identifies the key result for good. A UUIDv7: later ones sort after earlier ones.
                 */
                id: string;
                /**
                 * @description Whether a person reports the value (`manual`) or issues are counted (`auto`).
                 * @enum {string}
                 */
                kind: "manual" | "auto";
                /** @description Progress in whole percent. 100 only if all is done, 0 only if nothing is. `null` if nothing is measured. */
                progress_pct: number | null;
                /** @description Which issues an automatic key result counts. `null`: all of the goal's portfolio or workspace. */
                scope: {
                    /**
                     * Format: uuid
                     * @description Issues that are assigned to this person or agent. `null`: all.
                     */
                    assignee_id: string | null;
                    /** @description Issues of these types. Empty: all. */
                    issue_types: ("epic" | "story" | "task" | "bug" | "subtask")[];
                    /** @description Issues with one of these labels. Empty: all. */
                    label_ids: string[];
                    /** @description Issues of these milestones. Empty: all. */
                    milestone_ids: string[];
                    /** @description Issues with one of these parents. Empty: all. */
                    parent_ids: string[];
                    /** @description Issues of these projects. Empty: the projects of the goal's portfolio or, without one, all projects of the workspace. Projects that only their members see never count. */
                    project_ids: string[];
                    /** @description Issues of these releases. Empty: all. */
                    release_ids: string[];
                    /** @description Issues of these sprints. Empty: all. */
                    sprint_ids: string[];
                } | null;
                /** @description Value at the start. `null` counts as 0. */
                start_value: number | null;
                /** @description Value to reach. `null` if not set. */
                target_value: number | null;
                /** @description What the input measures or wants to reach, for people. */
                title: string;
                /** @description Unit of the values. `null` if not set. */
                unit: string | null;
                /** @description Weight in the goal's progress. */
                weight: number;
            }[];
            /**
             * Format: uuid
             * @description User id of the person or agent who is responsible for the goal. `null` if nobody is.
             */
            owner_user_id: string | null;
            /**
             * Format: uuid
             * @description Id of the goal above. `null` if there is none. Goals have at most 10 levels.
             */
            parent_goal_id: string | null;
            /** @description Title of the goal above. `null` if there is none. */
            parent_title: string | null;
            /**
             * Format: uuid
             * @description Id of the portfolio that the goal belongs to. `null` for a goal of the company.
             */
            portfolio_id: string | null;
            /** @description Name of the goal's portfolio. `null` if it has none. */
            portfolio_name: string | null;
            /** @description Progress in percent (0 to 100) that a person has set. `null`: it follows from key results and goals below. */
            progress_override: number | null;
            /** @description Progress in whole percent. 100 only if all is done, 0 only if nothing is. `null` if nothing is measured. */
            progress_pct: number | null;
            /** @description How the progress was computed. */
            rollup: {
                /** @description How the inputs are combined. */
                formula: string;
                /** @description Key results and goals below, with their weights. Those without a progress do not count. */
                inputs: {
                    /**
                     * Format: uuid
                     * @description Identifies the key result or goal for good. A UUIDv7: later ones sort after earlier ones.
                     */
                    id: string;
                    /**
                     * @description What the input is.
                     * @enum {string}
                     */
                    kind: "key_result" | "goal";
                    /** @description Progress in whole percent. 100 only if all is done, 0 only if nothing is. `null` if nothing is measured. */
                    progress_pct: number | null;
                    /** @description What the input measures or wants to reach, for people. */
                    title: string;
                    /** @description How much the input counts: the mean of all inputs is taken by weight. */
                    weight: number;
                }[];
            };
            /**
             * @description Status: the one in `status_override`, else computed by comparing the progress with the share of the cycle that is over.
             * @enum {string}
             */
            status: "on_track" | "at_risk" | "off_track" | "done" | "not_started";
            /**
             * @description Status that a person has set. `null`: the status follows from the progress and the dates.
             * @enum {string|null}
             */
            status_override: "on_track" | "at_risk" | "off_track" | "done" | null;
            /** @description What is to be reached, in a sentence for people. */
            title: string;
            /**
             * Format: date-time
             * @description When the goal was last changed.
             */
            updated_at: string;
            /** @description Counts the changes of the goal's own fields, from 1. Send it as `if_version` to change only what you have seen. */
            version: number;
            /** @description Number of people and agents who are told about changes of the status. */
            watcher_count: number;
            /** @description Weight of the goal in the progress of the goal above. Above 0, at most 999. */
            weight: number;
            /**
             * Format: uuid
             * @description The workspace whose members pursue the goal.
             */
            workspace_id: string;
        };
        GoalPatchInput: {
            /** @description When the goal is due, not before the start: `YYYY-MM-DD` (the whole day) or a date-time with offset. `null` clears it. */
            cycle_due_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `cycle_due_at` is a whole day. `null` if it is an instant, or not set.
             */
            cycle_due_on?: string | null;
            /** @description When work towards the goal starts: `YYYY-MM-DD` (a whole day) or a date-time with offset. `null` clears it. */
            cycle_start_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `cycle_start_at` is a whole day. `null` if it is an instant, or not set.
             */
            cycle_start_on?: string | null;
            /** @description What the goal means and how to tell that it is reached, as Markdown. `null` if nobody said. */
            description_md?: string | null;
            /** @description `version` of the goal that you have seen. If it has changed since, the call is refused with 409. */
            if_version?: number;
            /** @description Who is responsible for the goal: user id, e-mail or `me`. If it is missing on creation: the caller. `null`: nobody. */
            owner_user_id?: string | null;
            /** @description Id of the goal above. `null` if there is none. Goals have at most 10 levels. */
            parent_goal_id?: string | null;
            /** @description Id of the portfolio that the goal belongs to. `null` for a goal of the company. */
            portfolio_id?: string | null;
            /** @description Progress in percent (0 to 100) that a person has set. `null`: it follows from key results and goals below. */
            progress_override?: number | null;
            /**
             * @description Status that a person has set. `null`: the status follows from the progress and the dates.
             * @enum {string|null}
             */
            status_override?: "on_track" | "at_risk" | "off_track" | "done" | null;
            /** @description What is to be reached, in a sentence for people. */
            title?: string;
            /** @description Weight of the goal in the progress of the goal above. Above 0, at most 999. */
            weight?: number;
        };
        Invite: {
            /**
             * Format: date-time
             * @description When the invite was created.
             */
            created_at: string;
            /** @description E-mail address of the person who is invited. */
            email: string;
            /**
             * Format: date-time
             * @description When the invite expires: 7 days after it was sent.
             */
            expires_at: string;
            /**
             * Format: uuid
             * @description Identifies the invite for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description Name of the person who sent the invite. `null` if they have not chosen one. */
            invited_by_name: string | null;
            /**
             * Format: uuid
             * @description User id of the person who sent the invite.
             */
            invited_by_user_id: string;
            /** @description Ids of the projects that a guest will see. Empty for other roles. */
            project_ids: string[];
            /**
             * Format: uuid
             * @description Id of the pending invite to the same address that this one replaced. `null` if none.
             */
            replaced_invite_id: string | null;
            /**
             * @description Role that the person gets. A guest sees only the projects in `project_ids`.
             * @enum {string}
             */
            role: "admin" | "member" | "viewer" | "guest";
            /**
             * @description State of the invite. Lists contain pending invites only.
             * @enum {string}
             */
            status: "pending" | "accepted" | "revoked";
        };
        InviteCreateInput: {
            /**
             * Format: email
             * @description E-mail address of the person who is invited.
             */
            email: string;
            /** @description Text for the person who is invited; part of the mail. */
            message?: string | null;
            /** @description Projects that a guest will see, by id, key or slug. Only for role `guest`. */
            project_ids?: string[] | null;
            /**
             * @description Role that the person gets. A guest sees only the projects in `project_ids`. Default: `member`.
             * @enum {string}
             */
            role?: "admin" | "member" | "viewer" | "guest";
        };
        Issue: {
            /** @description Ids of the open agent sessions on the issue. */
            active_session_ids: string[];
            /**
             * Format: uuid
             * @description Id of the workflow run in progress. `null` if none.
             */
            active_workflow_run_id: string | null;
            /**
             * Format: date-time
             * @description When the issue was archived. `null` if it is not.
             */
            archived_at: string | null;
            /** @description Why it was archived: `archived` by a call, `status_deleted` with its column. `null` if it is not archived. */
            archived_reason: string | null;
            /**
             * Format: uuid
             * @description User id of the first assignee. `null` if the issue is unassigned.
             */
            assignee_id: string | null;
            /**
             * @description Whether the first assignee is a person or an agent. `null` if unassigned.
             * @enum {string|null}
             */
            assignee_kind: "user" | "agent" | null;
            /** @description Name of the first assignee. `null` if unassigned or not named. */
            assignee_name: string | null;
            /** @description User ids of all assignees, people and agents. The first is the primary one. */
            assignees: string[];
            /** @description Number of child issues. For an epic: of all issues that belong to it, at any depth. */
            children: {
                /** @description Child issues in category `cancelled`. Complete: `done` and `cancelled` make up `total`. */
                cancelled: number;
                /** @description Child issues in category `done`. */
                done: number;
                /** @description Child issues that are not archived. */
                total: number;
            };
            /** @description How much of the work is done, in percent. `null` if not set. */
            completion_pct: number | null;
            /** @description How many other objects the issue has. */
            counts: {
                /** @description How many files are attached, also those of comments. */
                attachments: number;
                /** @description How many comments people and agents wrote, answers included. */
                comments: number;
                /** @description How many links to other issues there are, in both directions. */
                links: number;
                /** @description How many people and agents are notified of changes. */
                watchers: number;
            };
            /**
             * Format: date-time
             * @description When the issue was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who created the issue.
             */
            created_by: string;
            /** @description Values of custom fields by field id. Fields without a value are left out. */
            custom_fields: {
                [key: string]: unknown;
            };
            /** @description What is to be done and why, as Markdown. `null` if nobody said. */
            description_md: string | null;
            /**
             * Format: date-time
             * @description When the issue is due. A whole day is shown as its midnight in UTC. `null` if not set.
             */
            due_at: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `due_at` is a whole day. `null` if it is an instant, or not set.
             */
            due_on: string | null;
            /**
             * Format: uuid
             * @description Id of the epic that the issue belongs to. `null` if none.
             */
            epic_id: string | null;
            /** @description Key of the epic that the issue belongs to. `null` if none. */
            epic_key: string | null;
            /** @description Estimated work in minutes. `null` if not estimated. */
            estimate_minutes: number | null;
            /** @description Id of the issue in `external_source`; the pair is unique in the project. `null` if none. */
            external_id: string | null;
            /** @description Name of the system that the issue was imported from. `null` if none. */
            external_source: string | null;
            /**
             * Format: uuid
             * @description Identifies the issue for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description Whether an open issue blocks this one. */
            is_blocked: boolean;
            /** @description Key of the issue: the project's key and the issue's number. */
            key: string;
            /** @description Labels of the issue, in the order in which they were added. */
            labels: components["schemas"]["Label"][];
            /**
             * Format: uuid
             * @description Milestone whose progress counts the issue. `null` if it has none.
             */
            milestone_id: string | null;
            /** @description Number of the issue in its project. Never reused. */
            number: number;
            /**
             * Format: uuid
             * @description Id of the parent issue. `null` for a top-level issue.
             */
            parent_id: string | null;
            /** @description Key of the parent issue. `null` for a top-level issue. */
            parent_key: string | null;
            /**
             * @description How urgent the issue is. `sort=priority_desc` and ready work go by it.
             * @enum {string}
             */
            priority: "lowest" | "low" | "medium" | "high" | "highest" | "critical";
            /**
             * Format: uuid
             * @description Id of the project that the issue belongs to.
             */
            project_id: string;
            /** @description Key of the project that the issue belongs to. */
            project_key: string;
            /** @description Position in its list: ranks sort bytewise. Treat it as opaque; send one only if a reply has shown it. An issue with the rank of another one goes right behind it. */
            rank: string;
            /**
             * Format: uuid
             * @description Release that is to contain the issue's work. `null` if it has none.
             */
            release_id: string | null;
            /**
             * Format: uuid
             * @description User id of the person or agent who reported the issue.
             */
            reporter_id: string;
            /**
             * Format: date-time
             * @description When the issue became done, failed or cancelled. `null` while it is open.
             */
            resolved_at: string | null;
            /** @description Work done in minutes. `null` if none was recorded. */
            spent_minutes: number | null;
            /**
             * Format: uuid
             * @description Sprint in which the issue is planned. `null` means the backlog.
             */
            sprint_id: string | null;
            /**
             * Format: date-time
             * @description When work is planned to start. `null` if not planned.
             */
            start_at: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `start_at` is a whole day. `null` if it is an instant, or not set.
             */
            start_on: string | null;
            /**
             * Format: date-time
             * @description When the issue first went into progress. `null` if it has not.
             */
            started_at: string | null;
            /**
             * @description Category of the issue's column.
             * @enum {string}
             */
            status: "backlog" | "todo" | "in_progress" | "in_review" | "done" | "failed" | "cancelled";
            /**
             * Format: uuid
             * @description Id of the issue's column. `null` while the column is deleted.
             */
            status_id: string | null;
            /** @description Name of the issue's column. `null` while the column is deleted. */
            status_name: string | null;
            /** @description Estimate in story points. `null` if not estimated. */
            story_points: number | null;
            /** @description What the issue is about, in one line. */
            title: string;
            /**
             * @description What kind of work it is. An `epic` groups issues; a `subtask` is a part of its parent.
             * @enum {string}
             */
            type: "epic" | "story" | "task" | "bug" | "subtask";
            /**
             * Format: date-time
             * @description When the issue was last changed.
             */
            updated_at: string;
            /** @description Address of the issue's page. */
            url: string;
            /** @description Goes up with every change. Send it as `if_version` to change only what you have seen. */
            version: number;
        };
        IssueCreateInput: {
            /** @description Id of the issue to place this one directly after. Send only one of `before`, `after` and `rank`. */
            after?: string;
            /** @description Assignee: user id, agent id, e-mail address or `me`. Replaces all assignees; `null` removes them. */
            assignee?: string | null;
            /** @description All assignees in order, as in `assignee`. Wins over `assignee`; an empty list removes all. */
            assignee_ids?: string[];
            /** @description Id of the issue to place this one directly before. Send only one of `before`, `after` and `rank`. */
            before?: string;
            /** @description How much of the work is done, in percent. `null` if not set. */
            completion_pct?: number | null;
            /** @description Values of custom fields by field id or name. `null` clears a value; other fields are kept. */
            custom_fields?: {
                [key: string]: unknown;
            };
            /** @description What is to be done and why, as Markdown. `null` if nobody said. */
            description_md?: string | null;
            /** @description When the issue is due: `YYYY-MM-DD` (a whole day) or a date-time with offset. Not before `start_at`. */
            due_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `due_at` is a whole day. `null` if it is an instant, or not set.
             */
            due_on?: string | null;
            /** @description Epic that the issue belongs to, by key or id. Without it, the issue follows its parent: it has the parent's epic, also when that changes or when the issue moves. `null` for none. Sending the parent's epic lets it follow again. */
            epic?: string | null;
            /** @description Estimated work in minutes. `null` if not estimated. */
            estimate_minutes?: number | string | null;
            /** @description Id of the issue in `external_source`; the pair is unique in the project. `null` if none. */
            external_id?: string | null;
            /** @description Name of the system that the issue was imported from. `null` if none. */
            external_source?: string | null;
            /** @description Labels by id or name. Replaces all labels of the issue; unknown names are refused. */
            labels?: string[];
            /** @description Milestone whose progress counts the issue. `null` if it has none. */
            milestone_id?: string | null;
            /** @description Parent issue of the same project, by key or id. `null` for a top-level issue. A subtask needs one; an epic has none. */
            parent?: string | null;
            /**
             * @description How urgent the issue is. `sort=priority_desc` and ready work go by it. Default: `medium`.
             * @enum {string}
             */
            priority?: "lowest" | "low" | "medium" | "high" | "highest" | "critical";
            /** @description Position in its list: ranks sort bytewise. Treat it as opaque; send one only if a reply has shown it. */
            rank?: string;
            /** @description Release that is to contain the issue's work. `null` if it has none. */
            release_id?: string | null;
            /** @description Who reported the issue: user id, agent id, e-mail address or `me`. Only admins may name others. */
            reporter?: string;
            /** @description Work done in minutes. `null` if none was recorded. */
            spent_minutes?: number | string | null;
            /** @description Sprint in which the issue is planned. `null` means the backlog. */
            sprint_id?: string | null;
            /** @description When work is planned to start: `YYYY-MM-DD` (a whole day) or a date-time with offset. */
            start_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `start_at` is a whole day. `null` if it is an instant, or not set.
             */
            start_on?: string | null;
            /**
             * @description Category to put the issue into: the column that the issue is in already, or else the first one that the rules of moves allow.
             * @enum {string}
             */
            status?: "backlog" | "todo" | "in_progress" | "in_review" | "done" | "failed" | "cancelled";
            /** @description Id of the column. Wins over `status`. */
            status_id?: string;
            /** @description Estimate in story points. `null` if not estimated. */
            story_points?: number | null;
            /** @description What the issue is about, in one line. */
            title: string;
            /**
             * @description What kind of work it is. An `epic` groups issues; a `subtask` is a part of its parent. Default: `task`.
             * @enum {string}
             */
            type?: "epic" | "story" | "task" | "bug" | "subtask";
            /** @description Who watches the issue from the start: user ids, agent ids, e-mail addresses or `me`. */
            watcher_ids?: string[];
        };
        IssueInProjectInput: {
            /** @description Id of the issue to place this one directly after. Send only one of `before`, `after` and `rank`. */
            after?: string;
            /** @description Assignee: user id, agent id, e-mail address or `me`. Replaces all assignees; `null` removes them. */
            assignee?: string | null;
            /** @description All assignees in order, as in `assignee`. Wins over `assignee`; an empty list removes all. */
            assignee_ids?: string[];
            /** @description Id of the issue to place this one directly before. Send only one of `before`, `after` and `rank`. */
            before?: string;
            /** @description How much of the work is done, in percent. `null` if not set. */
            completion_pct?: number | null;
            /** @description Values of custom fields by field id or name. `null` clears a value; other fields are kept. */
            custom_fields?: {
                [key: string]: unknown;
            };
            /** @description What is to be done and why, as Markdown. `null` if nobody said. */
            description_md?: string | null;
            /** @description When the issue is due: `YYYY-MM-DD` (a whole day) or a date-time with offset. Not before `start_at`. */
            due_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `due_at` is a whole day. `null` if it is an instant, or not set.
             */
            due_on?: string | null;
            /** @description Epic that the issue belongs to, by key or id. Without it, the issue follows its parent: it has the parent's epic, also when that changes or when the issue moves. `null` for none. Sending the parent's epic lets it follow again. */
            epic?: string | null;
            /** @description Estimated work in minutes. `null` if not estimated. */
            estimate_minutes?: number | string | null;
            /** @description Id of the issue in `external_source`; the pair is unique in the project. `null` if none. */
            external_id?: string | null;
            /** @description Name of the system that the issue was imported from. `null` if none. */
            external_source?: string | null;
            /** @description Labels by id or name. Replaces all labels of the issue; unknown names are refused. */
            labels?: string[];
            /** @description Milestone whose progress counts the issue. `null` if it has none. */
            milestone_id?: string | null;
            /** @description Parent issue of the same project, by key or id. `null` for a top-level issue. A subtask needs one; an epic has none. */
            parent?: string | null;
            /**
             * @description How urgent the issue is. `sort=priority_desc` and ready work go by it. Default: `medium`.
             * @enum {string}
             */
            priority?: "lowest" | "low" | "medium" | "high" | "highest" | "critical";
            /** @description Project of the issue, by key, slug or id. May be left out if you see only one project that is not archived. */
            project?: string;
            /** @description Position in its list: ranks sort bytewise. Treat it as opaque; send one only if a reply has shown it. */
            rank?: string;
            /** @description Release that is to contain the issue's work. `null` if it has none. */
            release_id?: string | null;
            /** @description Who reported the issue: user id, agent id, e-mail address or `me`. Only admins may name others. */
            reporter?: string;
            /** @description Work done in minutes. `null` if none was recorded. */
            spent_minutes?: number | string | null;
            /** @description Sprint in which the issue is planned. `null` means the backlog. */
            sprint_id?: string | null;
            /** @description When work is planned to start: `YYYY-MM-DD` (a whole day) or a date-time with offset. */
            start_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `start_at` is a whole day. `null` if it is an instant, or not set.
             */
            start_on?: string | null;
            /**
             * @description Category to put the issue into: the column that the issue is in already, or else the first one that the rules of moves allow.
             * @enum {string}
             */
            status?: "backlog" | "todo" | "in_progress" | "in_review" | "done" | "failed" | "cancelled";
            /** @description Id of the column. Wins over `status`. */
            status_id?: string;
            /** @description Estimate in story points. `null` if not estimated. */
            story_points?: number | null;
            /** @description What the issue is about, in one line. */
            title: string;
            /**
             * @description What kind of work it is. An `epic` groups issues; a `subtask` is a part of its parent. Default: `task`.
             * @enum {string}
             */
            type?: "epic" | "story" | "task" | "bug" | "subtask";
            /** @description Who watches the issue from the start: user ids, agent ids, e-mail addresses or `me`. */
            watcher_ids?: string[];
        };
        IssueLink: {
            /**
             * Format: date-time
             * @description When the link was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who created the link.
             */
            created_by: string;
            /**
             * @description `out` if the link leads from this issue to the target, `in` if it leads from the target to this issue.
             * @enum {string}
             */
            direction: "out" | "in";
            /**
             * Format: uuid
             * @description Identifies the link for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * @description How the issues relate. `blocks` makes the blocked one count as blocked until the other one is closed.
             * @enum {string}
             */
            kind: "relates_to" | "blocks" | "duplicates";
            /**
             * Format: uuid
             * @description Identifies the issue at the other end, also when it moves.
             */
            target_id: string;
            /** @description The issue at the other end, as `KEY-N`. It may belong to another project. */
            target_key: string;
            /** @description Slug of the project that the other issue belongs to. */
            target_project_slug: string;
            /**
             * @description Category of the other issue.
             * @enum {string}
             */
            target_status: "backlog" | "todo" | "in_progress" | "in_review" | "done" | "failed" | "cancelled";
            /** @description Title of the issue at the other end, as of now. */
            target_title: string;
            /**
             * @description What kind of work the issue at the other end is.
             * @enum {string}
             */
            target_type: "epic" | "story" | "task" | "bug" | "subtask";
        };
        IssueLinkCreateInput: {
            /**
             * @description `out`: this issue blocks or duplicates the target. `in`: the target blocks or duplicates this issue. Default: `out`.
             * @enum {string}
             */
            direction?: "out" | "in";
            /**
             * @description How the issues relate. `blocks` makes the blocked one count as blocked until the other one is closed.
             * @enum {string}
             */
            kind: "relates_to" | "blocks" | "duplicates";
            /** @description Key or id of an issue in any project of the workspace. */
            target_key: string;
        };
        IssuePatchInput: {
            /** @description Labels to add, by id or name. Others are kept. */
            add_labels?: string[];
            /** @description Id of the issue to place this one directly after. Send only one of `before`, `after` and `rank`. */
            after?: string;
            /** @description Assignee: user id, agent id, e-mail address or `me`. Replaces all assignees; `null` removes them. */
            assignee?: string | null;
            /** @description All assignees in order, as in `assignee`. Wins over `assignee`; an empty list removes all. */
            assignee_ids?: string[];
            /** @description Id of the issue to place this one directly before. Send only one of `before`, `after` and `rank`. */
            before?: string;
            /** @description How much of the work is done, in percent. `null` if not set. */
            completion_pct?: number | null;
            /** @description Values of custom fields by field id or name. `null` clears a value; other fields are kept. */
            custom_fields?: {
                [key: string]: unknown;
            };
            /** @description What is to be done and why, as Markdown. `null` if nobody said. */
            description_md?: string | null;
            /** @description When the issue is due: `YYYY-MM-DD` (a whole day) or a date-time with offset. Not before `start_at`. */
            due_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `due_at` is a whole day. `null` if it is an instant, or not set.
             */
            due_on?: string | null;
            /** @description Epic that the issue belongs to, by key or id. Without it, the issue follows its parent: it has the parent's epic, also when that changes or when the issue moves. `null` for none. Sending the parent's epic lets it follow again. */
            epic?: string | null;
            /** @description Estimated work in minutes. `null` if not estimated. */
            estimate_minutes?: number | string | null;
            /** @description Id of the issue in `external_source`; the pair is unique in the project. `null` if none. */
            external_id?: string | null;
            /** @description Name of the system that the issue was imported from. `null` if none. */
            external_source?: string | null;
            /** @description `version` of the issue that you have seen. If it has changed since, the call is refused with 409. */
            if_version?: number;
            /** @description Labels by id or name. Replaces all labels of the issue; unknown names are refused. */
            labels?: string[];
            /** @description Milestone whose progress counts the issue. `null` if it has none. */
            milestone_id?: string | null;
            /** @description Parent issue of the same project, by key or id. `null` for a top-level issue. A subtask needs one; an epic has none. */
            parent?: string | null;
            /**
             * @description How urgent the issue is. `sort=priority_desc` and ready work go by it.
             * @enum {string}
             */
            priority?: "lowest" | "low" | "medium" | "high" | "highest" | "critical";
            /** @description Position in its list: ranks sort bytewise. Treat it as opaque; send one only if a reply has shown it. */
            rank?: string;
            /** @description Release that is to contain the issue's work. `null` if it has none. */
            release_id?: string | null;
            /** @description Labels to remove, by id or name. Others are kept. */
            remove_labels?: string[];
            /** @description Who reported the issue: user id, agent id, e-mail address or `me`. Only admins may name others. */
            reporter?: string;
            /** @description Work done in minutes. `null` if none was recorded. */
            spent_minutes?: number | string | null;
            /** @description Sprint in which the issue is planned. `null` means the backlog. */
            sprint_id?: string | null;
            /** @description When work is planned to start: `YYYY-MM-DD` (a whole day) or a date-time with offset. */
            start_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `start_at` is a whole day. `null` if it is an instant, or not set.
             */
            start_on?: string | null;
            /**
             * @description Category to put the issue into: the column that the issue is in already, or else the first one that the rules of moves allow.
             * @enum {string}
             */
            status?: "backlog" | "todo" | "in_progress" | "in_review" | "done" | "failed" | "cancelled";
            /** @description Id of the column. Wins over `status`. */
            status_id?: string;
            /** @description Estimate in story points. `null` if not estimated. */
            story_points?: number | null;
            /** @description What the issue is about, in one line. */
            title?: string;
            /**
             * @description What kind of work it is. An `epic` groups issues; a `subtask` is a part of its parent.
             * @enum {string}
             */
            type?: "epic" | "story" | "task" | "bug" | "subtask";
        };
        IssueTransitionInput: {
            /** @description Id of the issue to place this one directly after. Send only one of `before`, `after` and `rank`. */
            after?: string;
            /** @description Id of the issue to place this one directly before. Send only one of `before`, `after` and `rank`. */
            before?: string;
            /** @description Comment to add with the move, as Markdown. */
            comment_md?: string;
            /** @description `version` of the issue that you have seen. If it has changed since, the call is refused with 409. */
            if_version?: number;
            /**
             * @description End of the column to place the issue at. Default: `bottom`.
             * @enum {string}
             */
            position?: "top" | "bottom";
            /** @description Position in its list: ranks sort bytewise. Treat it as opaque; send one only if a reply has shown it. */
            rank?: string;
            /**
             * @description Category to move the issue to. Required unless `status_id` is sent.
             * @enum {string}
             */
            status?: "backlog" | "todo" | "in_progress" | "in_review" | "done" | "failed" | "cancelled";
            /** @description Id of the column to move the issue to. If `status` is sent too, they must agree. */
            status_id?: string;
        };
        KeyResult: {
            /** @description Issues or points in category `done`. `null` for `manual`, and for `auto` until they were counted. */
            completed: number | null;
            /**
             * Format: date-time
             * @description When the key result was created.
             */
            created_at: string;
            /** @description Value now. `null` if not known: nothing is measured. Always `null` for `auto`. */
            current_value: number | null;
            /**
             * Format: date-time
             * @description When the key result is due. `null` if not set.
             */
            due_at: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `due_at` is a whole day. `null` if it is an instant, or not set.
             */
            due_on: string | null;
            /**
             * Format: uuid
             * @description Id of the goal that the key result belongs to.
             */
            goal_id: string;
            /**
             * Format: uuid
             * @description Identifies the key result for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * @description `manual`: somebody reports `current_value`. `auto`: the issues in `scope` are counted.
             * @enum {string}
             */
            kind: "manual" | "auto";
            /**
             * @description What is counted for `auto`: `issues`, or their story `points`.
             * @enum {string}
             */
            measure: "issues" | "points";
            /**
             * Format: uuid
             * @description User id of the person or agent who is responsible for it. `null` if nobody is.
             */
            owner_user_id: string | null;
            /** @description Progress in whole percent. 100 only if the target is reached, 0 only if nothing is. `null` if nothing is measured. */
            progress_pct: number | null;
            /** @description Which issues an automatic key result counts. `null`: all issues of the goal's portfolio or, without one, of the workspace. Ignored for `manual`. */
            scope: {
                /**
                 * Format: uuid
                 * @description Issues that are assigned to this person or agent. `null`: all.
                 */
                assignee_id: string | null;
                /** @description Issues of these types. Empty: all. */
                issue_types: ("epic" | "story" | "task" | "bug" | "subtask")[];
                /** @description Issues with one of these labels. Empty: all. */
                label_ids: string[];
                /** @description Issues of these milestones. Empty: all. */
                milestone_ids: string[];
                /** @description Issues with one of these parents. Empty: all. */
                parent_ids: string[];
                /** @description Issues of these projects. Empty: the projects of the goal's portfolio or, without one, all projects of the workspace. Projects that only their members see never count. */
                project_ids: string[];
                /** @description Issues of these releases. Empty: all. */
                release_ids: string[];
                /** @description Issues of these sprints. Empty: all. */
                sprint_ids: string[];
            } | null;
            /** @description Value at the start. `null` counts as 0, and is always stored for `auto`. */
            start_value: number | null;
            /** @description Value to reach; it may be below the start. `null` if not set: nothing is measured. Always `null` for `auto`. */
            target_value: number | null;
            /** @description What is measured, in a sentence for people. */
            title: string;
            /** @description Issues or points, without cancelled and archived issues. `null` as for `completed`. */
            total: number | null;
            /** @description Unit of the values, e.g. `%`, `USD` or `users`. `null` if not set. */
            unit: string | null;
            /**
             * Format: date-time
             * @description When the key result was last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When `current_value` was last set or, for `auto`, when the counts last changed. `null` if never.
             */
            updated_value_at: string | null;
            /** @description Weight in the goal's progress. Above 0, at most 999. */
            weight: number;
        };
        KeyResultCreateInput: {
            /** @description Value now. `null` if not known: nothing is measured. Always `null` for `auto`. */
            current_value?: number | null;
            /** @description When the key result is due: `YYYY-MM-DD` (the whole day) or a date-time with offset. `null` clears it. */
            due_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `due_at` is a whole day. `null` if it is an instant, or not set.
             */
            due_on?: string | null;
            /**
             * @description `manual`: somebody reports `current_value`. `auto`: the issues in `scope` are counted.
             * @enum {string}
             */
            kind: "manual" | "auto";
            /**
             * @description What is counted for `auto`: `issues`, or their story `points`. Default: `issues`.
             * @enum {string}
             */
            measure?: "issues" | "points";
            /** @description Who is responsible for it: user id, e-mail or `me`. `null`: nobody. */
            owner_user_id?: string | null;
            /** @description Which issues an automatic key result counts. `null`: all issues of the goal's portfolio or, without one, of the workspace. Ignored for `manual`. */
            scope?: {
                /** @description Issues that are assigned to this person or agent. `null`: all. */
                assignee_id?: string | null;
                /** @description Issues of these types. Empty: all. */
                issue_types?: ("epic" | "story" | "task" | "bug" | "subtask")[];
                /** @description Issues with one of these labels. Empty: all. */
                label_ids?: string[];
                /** @description Issues of these milestones. Empty: all. */
                milestone_ids?: string[];
                /** @description Issues with one of these parents. Empty: all. */
                parent_ids?: string[];
                /** @description Issues of these projects. Empty: the projects of the goal's portfolio or, without one, all projects of the workspace. Projects that only their members see never count. */
                project_ids?: string[];
                /** @description Issues of these releases. Empty: all. */
                release_ids?: string[];
                /** @description Issues of these sprints. Empty: all. */
                sprint_ids?: string[];
            } | null;
            /** @description Value at the start. `null` counts as 0, and is always stored for `auto`. */
            start_value?: number | null;
            /** @description Value to reach; it may be below the start. `null` if not set: nothing is measured. Always `null` for `auto`. */
            target_value?: number | null;
            /** @description What is measured, in a sentence for people. */
            title: string;
            /** @description Unit of the values, e.g. `%`, `USD` or `users`. `null` if not set. */
            unit?: string | null;
            /** @description Weight in the goal's progress. Above 0, at most 999. Default: `1`. */
            weight?: number;
        };
        KeyResultPatchInput: {
            /** @description Value now. `null` if not known: nothing is measured. Always `null` for `auto`. */
            current_value?: number | null;
            /** @description When the key result is due: `YYYY-MM-DD` (the whole day) or a date-time with offset. `null` clears it. */
            due_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `due_at` is a whole day. `null` if it is an instant, or not set.
             */
            due_on?: string | null;
            /** @description Cannot be changed. */
            kind?: unknown;
            /**
             * @description What is counted for `auto`: `issues`, or their story `points`.
             * @enum {string}
             */
            measure?: "issues" | "points";
            /** @description Who is responsible for it: user id, e-mail or `me`. `null`: nobody. */
            owner_user_id?: string | null;
            /** @description Which issues an automatic key result counts. `null`: all issues of the goal's portfolio or, without one, of the workspace. Ignored for `manual`. */
            scope?: {
                /** @description Issues that are assigned to this person or agent. `null`: all. */
                assignee_id?: string | null;
                /** @description Issues of these types. Empty: all. */
                issue_types?: ("epic" | "story" | "task" | "bug" | "subtask")[];
                /** @description Issues with one of these labels. Empty: all. */
                label_ids?: string[];
                /** @description Issues of these milestones. Empty: all. */
                milestone_ids?: string[];
                /** @description Issues with one of these parents. Empty: all. */
                parent_ids?: string[];
                /** @description Issues of these projects. Empty: the projects of the goal's portfolio or, without one, all projects of the workspace. Projects that only their members see never count. */
                project_ids?: string[];
                /** @description Issues of these releases. Empty: all. */
                release_ids?: string[];
                /** @description Issues of these sprints. Empty: all. */
                sprint_ids?: string[];
            } | null;
            /** @description Value at the start. `null` counts as 0, and is always stored for `auto`. */
            start_value?: number | null;
            /** @description Value to reach; it may be below the start. `null` if not set: nothing is measured. Always `null` for `auto`. */
            target_value?: number | null;
            /** @description What is measured, in a sentence for people. */
            title?: string;
            /** @description Unit of the values, e.g. `%`, `USD` or `users`. `null` if not set. */
            unit?: string | null;
            /** @description Weight in the goal's progress. Above 0, at most 999. */
            weight?: number;
        };
        KeyUsage: {
            /** @description Whether `from` or `to` was moved, because days to come or more than 90 days were requested. */
            clamped: boolean;
            /**
             * Format: date
             * @description First day of `series`.
             */
            from: string;
            /**
             * @description What an entry of `series` is about. Always `day`.
             * @enum {string}
             */
            granularity: "day";
            /**
             * Format: uuid
             * @description The key whose requests are counted.
             */
            key_id: string;
            /** @description One entry for each day, oldest first; days without calls have zeros. A call is counted when it has been answered, and shows up within a minute. Streams count when they start. */
            series: {
                /** @description How many got a status of 400 to 499. */
                client_errors: number;
                /**
                 * Format: date
                 * @description The day (UTC), as `YYYY-MM-DD`.
                 */
                date: string;
                /** @description How many of them got a status of 400 or above. */
                errors: number;
                /** @description The latency that 50 % of the day's calls did not exceed, in whole milliseconds, to within 5 %. 0 without calls. */
                p50_ms: number;
                /** @description The latency that 95 % of the day's calls did not exceed, in whole milliseconds, to within 5 %. 0 without calls. */
                p95_ms: number;
                /** @description The latency that 99 % of the day's calls did not exceed, in whole milliseconds, to within 5 %. 0 without calls. */
                p99_ms: number;
                /** @description How many got 429. They are client errors, too. */
                rate_limited: number;
                /** @description Number of the day's calls. */
                requests: number;
                /** @description How many got a status of 500 or above. */
                server_errors: number;
            }[];
            /**
             * Format: date
             * @description Last day of `series`.
             */
            to: string;
            /** @description Sums over all days. The latency is that of all calls, not an average of the days. */
            totals: {
                /** @description How many got a status of 400 to 499. */
                client_errors: number;
                /** @description How many of them got a status of 400 or above. */
                errors: number;
                /** @description The latency that 95 % of the calls with this key did not exceed, in whole milliseconds, to within 5 %. 0 without calls. */
                p95_ms: number;
                /** @description How many got 429. They are client errors, too. */
                rate_limited: number;
                /** @description Number of the calls with this key. */
                requests: number;
                /** @description How many got a status of 500 or above. */
                server_errors: number;
            };
        };
        Label: {
            /** @description Color (`#RRGGBB`) that shows the label beside issues. */
            color: string;
            /**
             * Format: date-time
             * @description When the label was created.
             */
            created_at: string;
            /** @description What the label is for. `null` if not described. */
            description: string | null;
            /**
             * Format: uuid
             * @description Identifies the label for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description Name of the label, unique in the project (ignoring case). */
            name: string;
            /**
             * Format: date-time
             * @description When the label was last changed.
             */
            updated_at: string;
        };
        LabelCreateInput: {
            /** @description Color (`#RRGGBB`) that shows the label beside issues. */
            color?: string;
            /** @description What the label is for. `null` if not described. */
            description?: string | null;
            /** @description Name of the label, unique in the project (ignoring case). */
            name: string;
        };
        LabelPatchInput: {
            /** @description Color (`#RRGGBB`) that shows the label beside issues. */
            color?: string;
            /** @description What the label is for. `null` if not described. */
            description?: string | null;
            /** @description Name of the label, unique in the project (ignoring case). */
            name?: string;
        };
        LabelWithCount: {
            /** @description Color (`#RRGGBB`) that shows the label beside issues. */
            color: string;
            /**
             * Format: date-time
             * @description When the label was created.
             */
            created_at: string;
            /** @description What the label is for. `null` if not described. */
            description: string | null;
            /**
             * Format: uuid
             * @description Identifies the label for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description Number of issues with the label, without archived ones. */
            issue_count: number;
            /** @description Name of the label, unique in the project (ignoring case). */
            name: string;
            /**
             * Format: date-time
             * @description When the label was last changed.
             */
            updated_at: string;
        };
        ListAgentSessionsQuery: {
            /** @description Only sessions of these agents: user ids or `me`, comma-separated. */
            agent_id?: string;
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /** @description Only sessions on this issue: its key or id. */
            issue_key?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
            /** @description Only sessions in one of these states, comma-separated. */
            state?: string;
        };
        ListAgentsQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /** @description Only agents of this provider. */
            kind?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
            /**
             * @description `true`: only agents with an open event stream. `false`: only the others.
             * @enum {string}
             */
            online?: "true" | "false";
        };
        ListApiKeysQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListAttachmentsQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListAuditLogQuery: {
            /** @description Only changes by this person, agent or automation; `me` is the caller. */
            actor_id?: string;
            /**
             * @description Whether a CSV file begins with the mark of UTF-8, which spreadsheets need. `false` leaves it out.
             * @default true
             * @enum {string}
             */
            bom?: "true" | "false";
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /** @description Only changes with this API key or grant. */
            key_id?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
            /** @description Only entries from this time on. */
            since?: string;
            /** @description Only this type, or a group such as `member.*`. */
            type?: string;
            /** @description Only entries before this time. */
            until?: string;
        };
        ListAutomationRunsQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListAutomationsQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListChatChannelsQuery: {
            /**
             * @description `true`: archived channels instead of the others.
             * @default false
             * @enum {string}
             */
            archived?: "true" | "false";
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListChatMembersQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListChatMessagesQuery: {
            /** @description A page with this message in its middle: half of the page is newer. With `limit=1`, this message only. */
            around?: string;
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
            /**
             * @description `false`: the newest page marks nothing as read.
             * @default true
             * @enum {string}
             */
            mark_read?: "true" | "false";
            /** @description Only the replies of the thread that begins with this message. */
            root_id?: string;
            /**
             * @description `true`: only messages that are not replies.
             * @default false
             * @enum {string}
             */
            top_level?: "true" | "false";
        };
        ListCommentsQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /** @description Begin with this comment. Earlier ones are left out. */
            from?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
            /**
             * @description `true` also marks your notifications about the listed comments as read. This needs the scope `notifications:write`.
             * @default false
             * @enum {string}
             */
            mark_read?: "true" | "false";
        };
        ListCustomFieldDefsQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListDocCommentsQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
            /**
             * @description `true` also marks your notifications about the listed comments as read. This needs the scope `notifications:write`.
             * @default false
             * @enum {string}
             */
            mark_read?: "true" | "false";
        };
        ListDocsQuery: {
            /**
             * @description `true`: only archived docs. Default: only docs that are not archived.
             * @enum {string}
             */
            archived?: "true" | "false";
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
            /** @description Only docs directly below this one; `none` for docs on the top level. */
            parent_id?: string;
            /** @description Only docs of this project: its key, slug or id. */
            project?: string;
        };
        ListDocVersionsQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListFormFieldsQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListFormsQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListFormSubmissionsQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListGoalsQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
            /** @description Only goals directly below this goal. */
            parent_goal_id?: string;
            /** @description Only goals of this portfolio. Not together with `scope`. */
            portfolio_id?: string;
            /**
             * @description `company`: only goals without a portfolio. Not together with `portfolio_id`.
             * @enum {string}
             */
            scope?: "company";
        };
        ListInvitesQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListIssueActivityQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListIssueCommitsQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListIssuesQuery: {
            /**
             * @description `true` lists archived issues instead of the others.
             * @enum {string}
             */
            archived?: "true" | "false";
            /** @description Only issues assigned to one of these: user ids, e-mail addresses, `me` or `none`, comma-separated. */
            assignee?: string;
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /** @description Only issues with one of these values in a custom field, comma-separated: `customFields.Budget=10..20` or `customFields[Budget]=10..20`, with the field's name (ignoring case) or id. Options, texts and addresses match as a whole, ignoring case. Numbers and days may be ranges: `10..20`, `10..` or `..20`, with both ends. Users are ids, e-mail addresses or `me`; projects are ids or keys; docs are ids; checkboxes are `true` or `false`. `none`: issues whose type has the field, but that have no value. */
            customFields?: {
                [key: string]: string;
            };
            /** @description Only issues that are due before this day or instant. An issue that is due on the day itself is not among them. */
            due_before?: string;
            /** @description Only issues of these epics: keys or ids, comma-separated. `none` for issues without one. */
            epic?: string;
            /** @description Only issues with one of these labels: ids, names or `none`, comma-separated. Write a comma in a name as `\,`. */
            label?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
            /** @description Only issues of one of these milestones: ids or `none`, comma-separated. */
            milestone?: string;
            /** @description Only child issues of these: keys or ids, comma-separated. `none` for top-level issues. */
            parent?: string;
            /** @description Only issues with one of these priorities, comma-separated. */
            priority?: string;
            /** @description Only issues with these words, or words that begin with them, in key, title or description. `"two words"` is a phrase, and `-word` leaves out. The address of an issue finds it. */
            q?: string;
            /**
             * @description `true` lists only issues on which you can start now: open, not blocked, without an open session, assigned to nobody or to you, and in a column from which the board's rules allow a start. `false` lists all others.
             * @enum {string}
             */
            ready?: "true" | "false";
            /** @description Only issues of one of these releases: ids or `none`, comma-separated. */
            release?: string;
            /** @description Only issues reported by one of these: user ids, e-mail addresses or `me`, comma-separated. */
            reporter?: string;
            /**
             * @description Order of the list. Default: `rank`, the order of the board. `updated_desc`: last changed first. `created_desc`: newest first. `priority_desc`: most urgent first. `due_asc`: soonest due first, those without a due date last.
             * @enum {string}
             */
            sort?: "rank" | "updated_desc" | "created_desc" | "priority_desc" | "due_asc";
            /** @description Only issues in one of these sprints: ids, `active` or `none`, comma-separated. */
            sprint?: string;
            /** @description Only issues with one of these categories, column ids or column names, comma-separated. A column with exactly this name comes before a category, and a category before a name in another case. */
            status?: string;
            /** @description Only issues of one of these types, comma-separated. */
            type?: string;
            /** @description Only issues that were last changed at this instant or later. */
            updated_since?: string;
            /** @description Id of a saved view. Its filter and order apply where no parameter says otherwise. */
            view?: string;
        };
        ListLabelsQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListMembersQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /** @description Only the person with this e-mail address. Guests find only themselves by address. */
            email?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
            /** @description Only people whose name contains this text, ignoring case. */
            q?: string;
            /**
             * @description `joined`: latest joined first. `name`: by name, in the order of dictionaries.
             * @default joined
             * @enum {string}
             */
            sort?: "joined" | "name";
        };
        ListMilestonesQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListNotificationsQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
            /**
             * @description `true` for unread notifications only, `false` for all.
             * @default false
             * @enum {string}
             */
            unread?: "true" | "false";
        };
        ListOauthAppsQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListPortfoliosQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListProjectMembersQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListProjectsQuery: {
            /**
             * @description `true` lists archived projects instead of the others.
             * @enum {string}
             */
            archived?: "true" | "false";
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListReleasesQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListSearchQueryQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
            /** @description What to search for, 1 to 200 characters, at most 20 words. Every word must occur; words also match the beginning of longer words. `"two words"` is a phrase, `-word` leaves objects out that contain the word, and the key of an issue such as `WEB-12`, or its address, finds that issue first. */
            q: string;
            /** @description Comma-separated list of `issue`, `doc`, `comment`, `message`, `project`, `person` and `goal`. Default: `issue,doc`, and `project`, `person` and `goal` if the key has their scopes. Comments need the scope `comments:read` too, messages `chat:read`, projects `projects:read`, people `members:read`, goals `goals:read`. */
            types?: string;
        };
        ListSprintsQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListTimeEntriesQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListViewIssuesQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListViewsQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListWebhookDeliveriesQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
            /** @description Only attempts in one of these states, comma-separated: `pending`, `delivering`, `retrying`, `succeeded`, `failed`, `skipped`. */
            status?: string;
        };
        ListWebhooksQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListWorkflowRunsQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListWorkflowsQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        ListWorkspaceIssuesQuery: {
            /** @description Id or e-mail address of the person or agent to whom the issues are assigned, or `me`. */
            assignee?: string;
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
            /** @description Priorities, separated by commas. */
            priority?: string;
            /** @description Ids, keys or slugs of projects, separated by commas. Left out: all projects that you can see. */
            project?: string;
            /**
             * @description Order of the issues. `updated_desc`: last changed first. `created_desc`: newest first. `priority_desc`: most urgent first. `due_asc`: soonest due first, those without a due date last.
             * @default updated_desc
             * @enum {string}
             */
            sort?: "updated_desc" | "created_desc" | "priority_desc" | "due_asc";
            /** @description Status categories, separated by commas. */
            status?: string;
            /** @description Types, separated by commas. */
            type?: string;
        };
        ListWorkspacesQuery: {
            /** @description `next_cursor` of the previous page. It is valid only with the same filters. */
            cursor?: string;
            /**
             * @description Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.
             * @default 50
             */
            limit?: number;
        };
        MarkNotificationAllReadQuery: {
            /** @description Only notifications about messages of this channel. */
            channel_id?: string;
            /** @description Only notifications about this doc and its comments. */
            doc_id?: string;
            /** @description Only notifications about this goal. */
            goal_id?: string;
            /** @description Only notifications about this issue, its comments and sessions. */
            issue_id?: string;
            /** @description Only notifications of these kinds about no single object, separated by commas. */
            kinds?: string;
            /** @description Only notifications about these messages, separated by commas. */
            message_ids?: string;
            /** @description Only notifications about this agent session. */
            session_id?: string;
        };
        Me: {
            /** @description Agent that the key acts as. `null` if it acts for a person. */
            agent: {
                /**
                 * Format: uuid
                 * @description Identifies the agent for good. A UUIDv7: later ones sort after earlier ones.
                 */
                id: string;
                /** @description What people see as the agent's name, for instance as an assignee. */
                name: string | null;
            } | null;
            /**
             * Format: date-time
             * @description When the credential expires; for OAuth, when the access token expires. `null` if never.
             */
            expiresAt: string | null;
            /**
             * Format: uuid
             * @description Id of the key or access token that made the call (UUIDv7).
             */
            keyId: string;
            /**
             * @description What the credential may be used for: a workspace key acts for whoever created it, an agent key acts as the agent.
             * @enum {string}
             */
            kind: "workspace" | "agent" | "personal" | "oauth";
            /** @description What the key's owner called it, to tell keys apart. */
            name: string;
            /** @description First characters of the key, to recognise it by. */
            prefix: string;
            /** @description Ids of the projects that the key is limited to. `null` if it is not limited. */
            projectIds: string[] | null;
            /** @description Requests per minute that the key may make. */
            rateLimitPerMinute: number;
            /**
             * @description Role of the person or agent in the workspace. `null` if they are not a member.
             * @enum {string|null}
             */
            role: "owner" | "admin" | "member" | "viewer" | "guest" | null;
            /** @description Scopes as they were granted: bundles, fine scopes or both. */
            scopes: string[];
            /** @description Person whom the key acts for. `null` if it acts for an agent. */
            user: {
                /** @description E-mail address of the person. */
                email: string | null;
                /**
                 * Format: uuid
                 * @description Identifies the person for good. A UUIDv7: later ones sort after earlier ones.
                 */
                id: string;
                /** @description Display name. `null` until the person chooses one. */
                name: string | null;
            } | null;
            /** @description Workspace that the key belongs to. */
            workspace: {
                /**
                 * Format: uuid
                 * @description Identifies the workspace for good. A UUIDv7: later ones sort after earlier ones.
                 */
                id: string;
                /** @description What people see as the workspace's name. */
                name: string;
                /**
                 * @description Decides the limits and which features the workspace has.
                 * @enum {string}
                 */
                plan: "free" | "pro" | "business";
                /** @description Names the workspace in paths: `/v1/workspaces/{slug}`. */
                slug: string;
            };
            /** @description Slug of the workspace that the key belongs to. */
            workspaceSlug: string;
        };
        Member: {
            /** @description Address of the member's picture. `null` if there is none. */
            avatar_url: string | null;
            /** @description E-mail address of the member. Guests see only their own. */
            email?: string;
            /** @description Whether the member is a guest, who sees only the projects in `project_ids`. */
            is_guest: boolean;
            /**
             * Format: date-time
             * @description When the member joined the workspace.
             */
            joined_at: string;
            /**
             * Format: date-time
             * @description When the member was last active. `null` if never.
             */
            last_active_at: string | null;
            /** @description Display name of the member. `null` until they choose one. */
            name: string | null;
            /** @description Ids of the projects that a guest sees. Empty for full members. */
            project_ids: string[];
            /**
             * @description Role in the workspace. Guests are shown as `viewer` with `is_guest` true.
             * @enum {string}
             */
            role: "owner" | "admin" | "member" | "viewer";
            /**
             * @description Whether the member can sign in and use keys.
             * @enum {string}
             */
            status: "active" | "suspended";
            /**
             * Format: uuid
             * @description The person or agent. Use it as an assignee, and in the paths of members.
             */
            user_id: string;
        };
        MemberPatchInput: {
            /**
             * @description New role. A guest becomes a full member with any role.
             * @enum {string}
             */
            role: "admin" | "member" | "viewer";
        };
        Milestone: {
            /**
             * Format: date-time
             * @description When the milestone was completed. `null` if it is not.
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description When the milestone was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who created the milestone. `null` if unknown.
             */
            created_by: string | null;
            /** @description What it contains, as Markdown. `null` if nobody said. */
            description_md: string | null;
            /**
             * Format: date-time
             * @description When the milestone is due. `null` if not planned.
             */
            due_at: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `due_at` is a whole day. `null` if it is an instant, or not set.
             */
            due_on: string | null;
            /**
             * Format: uuid
             * @description Identifies the milestone for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description What people see as the milestone's name. */
            name: string;
            /** @description How far the milestone's issues are. */
            progress: {
                /** @description Issues in category `cancelled`. */
                cancelled: number;
                /** @description Issues in category `done`. */
                done: number;
                /** @description Issues in category `failed`. */
                failed: number;
                /** @description Share of the issues that are done, without cancelled ones, in percent. 100 only if all are done. */
                percent: number;
                /** @description Number of issues, without archived ones. */
                total: number;
            };
            /** @description Position in its list: ranks sort bytewise. Treat it as opaque; send one only if a reply has shown it. */
            rank: string;
            /**
             * Format: date-time
             * @description When work on the milestone starts. `null` if not planned.
             */
            start_at: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `start_at` is a whole day. `null` if it is an instant, or not set.
             */
            start_on: string | null;
            /**
             * @description How far the milestone is, as people set it; it does not follow from its issues. `completed` stamps `completed_at`.
             * @enum {string}
             */
            status: "planned" | "active" | "completed";
            /**
             * Format: date-time
             * @description When the milestone was last changed.
             */
            updated_at: string;
        };
        MilestoneCreateInput: {
            /** @description Id of the milestone to place this one directly after. Send only one of `before`, `after` and `rank`. */
            after?: string;
            /** @description Id of the milestone to place this one directly before. Send only one of `before`, `after` and `rank`. */
            before?: string;
            /** @description What it contains, as Markdown. `null` if nobody said. */
            description_md?: string | null;
            /** @description When the milestone is due: `YYYY-MM-DD` (a whole day) or a date-time with offset. `null` clears it. */
            due_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `due_at` is a whole day. `null` if it is an instant, or not set.
             */
            due_on?: string | null;
            /** @description What people see as the milestone's name. */
            name: string;
            /** @description Position in its list: ranks sort bytewise. Treat it as opaque; send one only if a reply has shown it. */
            rank?: string;
            /** @description When work on the milestone starts: `YYYY-MM-DD` (a whole day) or a date-time with offset. `null` clears it. */
            start_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `start_at` is a whole day. `null` if it is an instant, or not set.
             */
            start_on?: string | null;
            /**
             * @description How far the milestone is, as people set it; it does not follow from its issues. `completed` stamps `completed_at`. Default: `planned`.
             * @enum {string}
             */
            status?: "planned" | "active" | "completed";
        };
        MilestonePatchInput: {
            /** @description Id of the milestone to place this one directly after. Send only one of `before`, `after` and `rank`. */
            after?: string;
            /** @description Id of the milestone to place this one directly before. Send only one of `before`, `after` and `rank`. */
            before?: string;
            /** @description What it contains, as Markdown. `null` if nobody said. */
            description_md?: string | null;
            /** @description When the milestone is due: `YYYY-MM-DD` (a whole day) or a date-time with offset. `null` clears it. */
            due_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `due_at` is a whole day. `null` if it is an instant, or not set.
             */
            due_on?: string | null;
            /** @description What people see as the milestone's name. */
            name?: string;
            /** @description Position in its list: ranks sort bytewise. Treat it as opaque; send one only if a reply has shown it. */
            rank?: string;
            /** @description When work on the milestone starts: `YYYY-MM-DD` (a whole day) or a date-time with offset. `null` clears it. */
            start_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `start_at` is a whole day. `null` if it is an instant, or not set.
             */
            start_on?: string | null;
            /**
             * @description How far the milestone is, as people set it; it does not follow from its issues. `completed` stamps `completed_at`.
             * @enum {string}
             */
            status?: "planned" | "active" | "completed";
        };
        NewApiKey: {
            /**
             * Format: uuid
             * @description User id of the agent that the key acts as. `null` if it acts for a person.
             */
            agent_id: string | null;
            /**
             * Format: date-time
             * @description When the key was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person who created the key.
             */
            created_by: string;
            /** @description Requests per minute that the key may make, with the default applied. */
            effective_rate_limit: number;
            /**
             * Format: date-time
             * @description When the key expires. `null` if never.
             */
            expires_at: string | null;
            /**
             * Format: uuid
             * @description Identifies the key for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * @description Whom the key acts for: a `workspace` key for its creator, an `agent` key as an agent.
             * @enum {string}
             */
            kind: "workspace" | "agent" | "personal" | "oauth";
            /** @description The key's last four characters, to recognise it by. The rest cannot be read again. */
            last_four: string;
            /**
             * Format: date-time
             * @description When the key was last used. `null` if never.
             */
            last_used_at: string | null;
            /** @description Network address that last used the key. `null` if never used. */
            last_used_ip: string | null;
            /** @description Name of the key, for people. */
            name: string;
            /** @description The key itself. It is shown only in this reply; keep it safe. */
            plaintext: string;
            /** @description First characters of the key, to recognise it by. */
            prefix: string;
            /** @description Ids of the projects that the key is limited to. `null` if it is not limited. */
            project_ids: string[] | null;
            /** @description Requests per minute. `null` for the default of the service. */
            rate_limit_per_minute: number | null;
            /** @description Why the key was revoked. `null` if not revoked or no reason was given. */
            revoke_reason: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked. `null` if it was not.
             */
            revoked_at: string | null;
            /** @description What the key may do: bundles (`read`, `write`, `admin`), fine scopes or both. */
            scopes: string[];
            /**
             * @description Whether the key can be used.
             * @enum {string}
             */
            state: "active" | "revoked" | "expired";
            /**
             * Format: date-time
             * @description When the key was last changed.
             */
            updated_at: string;
        };
        NewOauthApp: {
            /** @description Id of the app in OAuth: a UUID, or the https address of the app's own metadata document. */
            client_id: string;
            /** @description Secret of the app; `null` if it is public. It is shown only in this reply; keep it safe. */
            client_secret: string | null;
            /**
             * Format: date-time
             * @description When the app was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person who created the app, or who was the first to approve it.
             */
            created_by: string;
            /** @description What the app is for. `null` if not described. */
            description: string | null;
            /** @description Number of approvals by people of this workspace that the app can use now. */
            grants_count: number;
            /** @description https address of the app's home page. `null` if it has none. */
            homepage_url: string | null;
            /** @description Whether the app has no secret, because it runs where a secret could be read. */
            is_public: boolean;
            /** @description https address of the app's logo. `null` if it has none. */
            logo_url: string | null;
            /** @description Name of the app. People read it when they are asked to approve it. */
            name: string;
            /**
             * @description `dashboard`: created for this workspace. `dynamic`: it registered itself and was approved here.
             * @enum {string}
             */
            origin: "dashboard" | "dynamic";
            /** @description Addresses to which people may be sent back. Empty if they are in the app's own metadata document. */
            redirect_uris: string[];
            /** @description What the app may ask people for. For an app that registered itself: what people of this workspace have granted it. */
            scopes: string[];
        };
        Notification: {
            /**
             * Format: uuid
             * @description User id of the person or agent who did it. `null` if nobody did, such as for a due date.
             */
            actor_id: string | null;
            /** @description Their present name. `null` if nobody did it, or if they have chosen no name. */
            actor_name: string | null;
            /** @description The beginning of the comment or message as it is now, as plain text with the present names of those whom it mentions; or the title of the object as it was. */
            body: string;
            /**
             * Format: uuid
             * @description Id of the channel. `null` if it is about something else.
             */
            channel_id: string | null;
            /**
             * Format: date-time
             * @description When the notification was written.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description Id of the doc. `null` if it is about something else.
             */
            doc_id: string | null;
            /**
             * Format: uuid
             * @description Identifies the notification for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description Key of the issue. `null` if it is about something else. */
            issue_key: string | null;
            /**
             * @description What happened.
             * @enum {string}
             */
            kind: "assigned" | "mentioned" | "commented" | "status_changed" | "due_soon" | "overdue" | "session_needs_input" | "session_review" | "session_failed" | "stage_assigned" | "chat_mention" | "chat_dm" | "form_submitted" | "webhook_disabled" | "automation_disabled" | "automation" | "spend_cap" | "credits_low" | "invite_accepted";
            /**
             * Format: uuid
             * @description Id of the message in the channel. `null` if it is about something else.
             */
            message_id: string | null;
            /**
             * Format: date-time
             * @description When you marked it as read. `null` if it is unread.
             */
            read_at: string | null;
            /**
             * Format: uuid
             * @description Id of the agent session. `null` if it is about something else.
             */
            session_id: string | null;
            /** @description What happened, in one line of plain text. */
            title: string;
            /** @description Address of the page about it. */
            url: string;
        };
        NotificationPatchInput: {
            /** @description `true` marks it as read and keeps the time of the first mark; `false` marks it as unread. */
            read?: boolean;
        };
        NotificationsMarkedRead: {
            /** @description How many notifications were unread and are now read. */
            count: number;
        };
        OauthApp: {
            /** @description Id of the app in OAuth: a UUID, or the https address of the app's own metadata document. */
            client_id: string;
            /**
             * Format: date-time
             * @description When the app was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person who created the app, or who was the first to approve it.
             */
            created_by: string;
            /** @description What the app is for. `null` if not described. */
            description: string | null;
            /** @description Number of approvals by people of this workspace that the app can use now. */
            grants_count: number;
            /** @description https address of the app's home page. `null` if it has none. */
            homepage_url: string | null;
            /** @description Whether the app has no secret, because it runs where a secret could be read. */
            is_public: boolean;
            /** @description https address of the app's logo. `null` if it has none. */
            logo_url: string | null;
            /** @description Name of the app. People read it when they are asked to approve it. */
            name: string;
            /**
             * @description `dashboard`: created for this workspace. `dynamic`: it registered itself and was approved here.
             * @enum {string}
             */
            origin: "dashboard" | "dynamic";
            /** @description Addresses to which people may be sent back. Empty if they are in the app's own metadata document. */
            redirect_uris: string[];
            /** @description What the app may ask people for. For an app that registered itself: what people of this workspace have granted it. */
            scopes: string[];
        };
        OauthAppCreateInput: {
            /** @description What the app is for. `null` if not described. */
            description?: string | null;
            /**
             * Format: uri
             * @description https address of the app's home page. `null` if it has none.
             */
            homepage_url?: string | null;
            /** @description Whether the app has no secret, because it runs where a secret could be read. Default: `false`. */
            is_public?: boolean;
            /**
             * Format: uri
             * @description https address of the app's logo. `null` if it has none.
             */
            logo_url?: string | null;
            /** @description Name of the app. People read it when they are asked to approve it. */
            name: string;
            /** @description Addresses to which people may be sent back: https, http on a loopback address (any port), or a private scheme. */
            redirect_uris: string[];
            /** @description What the app may ask people for: bundles (`read`, `write`, `admin`), fine scopes or both. Default: `["read"]`. */
            scopes?: ("read" | "write" | "admin" | "search:read" | "workspaces:read" | "projects:read" | "issues:read" | "comments:read" | "attachments:read" | "labels:read" | "custom_fields:read" | "saved_views:read" | "docs:read" | "members:read" | "notifications:read" | "chat:read" | "forms:read" | "automations:read" | "portfolios:read" | "goals:read" | "agents:read" | "workflows:read" | "workflow.run" | "projects:write" | "issues:write" | "comments:write" | "attachments:write" | "labels:write" | "custom_fields:write" | "saved_views:write" | "docs:write" | "notifications:write" | "chat:write" | "goals:write" | "agents:write" | "projects:admin" | "audit:read" | "workspaces:write" | "members:write" | "forms:write" | "automations:write" | "portfolios:write" | "workflows:write" | "api_keys:read" | "api_keys:write" | "webhooks:read" | "webhooks:write" | "oauth_apps:read" | "oauth_apps:write")[];
        };
        OwnershipTransferInput: {
            /** @description User id or e-mail address of the active member who becomes the owner. */
            user_id: string;
        };
        Pagination: {
            /** @description null on the last page. */
            next_cursor: string | null;
        };
        /** @description The challenge of `WWW-Authenticate`, in plain words. Single use. */
        PaymentChallenge: {
            /** @description What the payment costs, in cents, as a string of digits. */
            amount: string;
            /** @description To be sent back in the Payment credential. */
            challenge_id: string;
            /** @description Number of credits that the payment buys. */
            credits: number;
            /** @description Always `USD`. */
            currency: string;
            /** @description What is bought, in a sentence that a client can show to a person. */
            description: string;
            /**
             * Format: date-time
             * @description 10 minutes after it was issued.
             */
            expires_at: string;
            /** @description Always `charge`. */
            intent: string;
            /** @description The card processor's payment method. */
            method: string;
            /** @description Ways to pay; now one, with the same price. */
            offers: {
                /** @description What the payment costs, in cents, as a string of digits. */
                amount: string;
                /** @description Always `USD`. */
                currency: string;
                /** @description What is bought, in a sentence that a client can show to a person. */
                description: string;
                /** @description Always `charge`. */
                intent: string;
                /** @description The card processor's payment method. */
                method: string;
            }[];
        };
        /** @description A refusal that says what to pay. */
        PaymentProblem: components["schemas"]["Problem"] & {
            /** @description What to pay, and how. */
            challenge: components["schemas"]["PaymentChallenge"];
            /** @description The challenge's id, as the Payment scheme names it. */
            challengeId?: string;
            /** @description Whether paying the new challenge may succeed. */
            retryable: boolean;
        };
        PaymentReceipt: {
            /** @description What was charged, in cents, as a string of digits. */
            amount: string;
            /** @description Id of the challenge that was paid. */
            challengeId: string;
            /** @description Credits that the payment added to the balance. They do not expire with the month. */
            credits: number;
            /** @description Currency of `amount`, as an ISO 4217 code. */
            currency: string;
            /**
             * @description Always `charge`.
             * @constant
             */
            intent: "charge";
            /** @description Address of the service. Its keys at `/.well-known/ucp` verify the signature. */
            issuer: string;
            /** @description Id of the key that made the signature. */
            kid: string;
            /** @description Means of payment that the challenge asked for. */
            method: string;
            /** @description Pack that was bought. */
            pack: string;
            /**
             * @description How it was paid.
             * @enum {string}
             */
            paymentType: "shared_payment_token" | "saved_card";
            /** @description Identifies the purchase in replies, receipts and the list of purchases. */
            purchaseId: string;
            /** @description Id of the payment at the card processor. */
            reference: string;
            /** @description Detached JWS (EdDSA) over the canonical JSON (RFC 8785) of the other members. */
            signature: string;
            /**
             * @description Always `success`.
             * @constant
             */
            status: "success";
            /**
             * Format: date-time
             * @description When the payment succeeded.
             */
            timestamp: string;
            /** @description Slug of the workspace that has the credits. */
            workspace: string;
        };
        Portfolio: {
            /** @description Color (`#RRGGBB`) that shows the portfolio in lists. */
            color: string;
            /**
             * Format: date-time
             * @description When the portfolio was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who created the portfolio.
             */
            created_by: string;
            /** @description What the portfolio brings together, as Markdown. `null` if nobody said. */
            description_md: string | null;
            /** @description How many goals are in the portfolio, also those below other goals. */
            goal_count: number;
            /**
             * Format: uuid
             * @description Identifies the portfolio for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who leads the portfolio. `null` if nobody does.
             */
            lead_user_id: string | null;
            /** @description What people see as the portfolio's name. */
            name: string;
            /** @description Mean of the portfolio's topmost goals by weight and of its projects (weight 1), in whole percent. 100 only if all is done, 0 only if nothing is. Projects that only their members see do not count. `null` if nothing is measured. */
            progress_pct: number | null;
            /** @description Number of projects in the portfolio that you can see. In events: without projects that only their members see. */
            project_count: number;
            /**
             * Format: date-time
             * @description When the portfolio was last changed.
             */
            updated_at: string;
            /**
             * Format: uuid
             * @description The workspace whose goals and projects it groups.
             */
            workspace_id: string;
        };
        PortfolioCreateInput: {
            /** @description Color (`#RRGGBB`) that shows the portfolio in lists. If it is missing on creation: `#8b8f98`. Default: `#8b8f98`. */
            color?: string;
            /** @description What the portfolio brings together, as Markdown. `null` if nobody said. */
            description_md?: string | null;
            /** @description Who leads the portfolio: user id, e-mail or `me`. `null`: nobody. */
            lead_user_id?: string | null;
            /** @description What people see as the portfolio's name. */
            name: string;
        };
        PortfolioPatchInput: {
            /** @description Color (`#RRGGBB`) that shows the portfolio in lists. If it is missing on creation: `#8b8f98`. */
            color?: string;
            /** @description What the portfolio brings together, as Markdown. `null` if nobody said. */
            description_md?: string | null;
            /** @description Who leads the portfolio: user id, e-mail or `me`. `null`: nobody. */
            lead_user_id?: string | null;
            /** @description What people see as the portfolio's name. */
            name?: string;
        };
        PortfolioProject: {
            /**
             * Format: date-time
             * @description When the project was added to the portfolio.
             */
            added_at: string;
            /** @description The project's present name, for people. */
            name: string;
            /**
             * Format: uuid
             * @description Identifies the portfolio for good. A UUIDv7: later ones sort after earlier ones.
             */
            portfolio_id: string;
            /** @description Share of the project's issues that are done, in whole percent. Cancelled and archived issues do not count. 100 only if all are done, 0 only if none is. `null` if there are none. */
            progress_pct: number | null;
            /**
             * Format: uuid
             * @description The project whose progress counts in the portfolio.
             */
            project_id: string;
            /** @description The project, by the key that paths and issue keys use. */
            project_key: string;
        };
        PortfolioProjectAddInput: {
            /** @description Project to add: id, key or slug. */
            project_id: string;
        };
        /** @description A refusal (RFC 9457). `error` repeats it in a short form; its `code` is one of a closed list. */
        Problem: {
            /** @description Fine and stable; new ones may be added. */
            code: string;
            /** @description What is wrong, and what to do next, for people. */
            detail: string;
            /** @description The same in a short form. */
            error: components["schemas"]["ProblemError"];
            /** @description Id of the request, also in `X-Request-Id`. Quote it to support. */
            request_id: string;
            /** @description On calls that pay: whether the same call may succeed later. */
            retryable?: boolean;
            /** @description HTTP status of the reply. */
            status: number;
            /** @description The code in a few words. */
            title: string;
            /**
             * Format: uri
             * @description Address of a page that explains the code.
             */
            type: string;
        };
        /** @enum {string} */
        ProblemCode: "agent_key_required" | "agent_paused" | "already_answered" | "already_exists" | "already_member" | "archived" | "attachment_limit_reached" | "body_too_large" | "chain_too_long" | "challenge_consumed" | "challenge_expired" | "challenge_mismatch" | "challenge_unknown" | "checksum_mismatch" | "credits_exhausted" | "cursor_mismatch" | "depth_limit_reached" | "field_in_use" | "field_not_allowed" | "foreign_form" | "form_closed" | "goal_cycle" | "graph_invalid" | "idempotency_in_progress" | "idempotency_key_reused" | "immutable_field" | "insufficient_role" | "insufficient_scope" | "internal_error" | "invalid_cursor" | "invalid_json" | "invalid_parameter" | "invalid_reference" | "invalid_state_change" | "invalid_url" | "invite_for_another" | "invite_over" | "issue_claimed" | "key_project_limit" | "key_result_limit_reached" | "last_owner" | "last_status" | "link_cycle" | "link_limit_reached" | "link_self" | "malformed_credential" | "method_not_allowed" | "method_unsupported" | "mutually_exclusive" | "no_active_run" | "no_active_stage" | "no_saved_card" | "not_a_member" | "not_found" | "not_owner_of_resource" | "not_stage_actor" | "nothing_ready" | "open_blockers" | "parent_cycle" | "payment_action_required" | "payment_failed" | "payment_insufficient" | "payment_required" | "payment_unknown" | "payments_off" | "pdf_unavailable" | "person_required" | "plan_limit_reached" | "plan_required" | "portfolio_project_limit_reached" | "precondition_failed" | "rate_limited" | "reaction_limit_reached" | "read_only_field" | "replace_ambiguous" | "replace_not_found" | "restore_window_over" | "run_already_active" | "run_finished" | "scope_exceeds_grantor" | "session_cancelled" | "spend_cap_reached" | "sprint_completed" | "status_limit_reached" | "storage_limit_reached" | "stream_closed" | "stream_gap" | "token_limit_reached" | "too_complex_to_export" | "too_many_streams" | "transition_not_allowed" | "unauthorized" | "unavailable" | "unknown_field" | "unknown_parameter" | "unknown_report" | "unsupported_media_type" | "upload_expired" | "upload_missing" | "upload_size_mismatch" | "validation_failed" | "version_conflict" | "view_limit_reached" | "wip_limit_exceeded" | "workflow_not_enabled" | "workflow_runs_in_flight";
        ProblemError: {
            /**
             * @description Coarse code, of a closed list.
             * @enum {string}
             */
            code: "validation" | "unauthorized" | "payment_required" | "internal_error" | "forbidden" | "not_found" | "conflict" | "idempotency_violation" | "rate_limited";
            /** @description What the code needs to be understood. Other codes have other members. */
            details: {
                /** @description Values that are allowed. */
                allowed?: unknown[];
                /** @description Fine code, in the rows of a bulk call. */
                code?: string;
                /** @description The name or value that is closest to what was sent. */
                did_you_mean?: string;
                /** @description One entry per field that is not valid. */
                errors?: components["schemas"]["FieldError"][];
                /** @description With `precondition_failed`: the object's `ETag` now. */
                etag?: string;
                /** @description With `already_exists`: id of the object that exists. */
                existing_id?: string;
                /** @description With `insufficient_scope`: the key's scopes. */
                granted?: string[];
                /** @description The query parameter to mend. Absent if another part of the request is wrong. */
                parameter?: string;
                /** @description JSON pointer to the field that is wrong, if it is only one. */
                path?: string;
                /** @description With `insufficient_scope`: the scope that the call needs. */
                required_scope?: string;
                /** @description The wrong value, as it was sent. */
                value?: unknown;
                /** @description With `version_conflict` and `precondition_failed`: the object's version now. */
                version?: number;
            } & {
                [key: string]: unknown;
            };
            /** @description The same text as `detail`. */
            message: string;
        };
        Project: {
            /**
             * Format: date-time
             * @description When the project was archived. `null` if it is not.
             */
            archived_at: string | null;
            /** @description Whether an issue moves to a column in progress when an agent starts to work on it. */
            auto_start: boolean;
            /** @description Color (`#RRGGBB`) that shows the project in lists. `null` for the standard color. */
            color: string | null;
            /**
             * Format: date-time
             * @description When the project was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who created the project.
             */
            created_by: string;
            /**
             * Format: uuid
             * @description User id of the person or agent whom new issues are assigned to. `null` if nobody.
             */
            default_assignee_id: string | null;
            /**
             * Format: uuid
             * @description Id of the column that new issues go to. `null` if the project has none.
             */
            default_status_id: string | null;
            /** @description What the project is about, as Markdown. `null` if nobody said. */
            description_md: string | null;
            /** @description Whether an issue with open blockers is kept out of progress, review and done. */
            enforce_blockers: boolean;
            /**
             * @description Unit in which issues are estimated.
             * @enum {string}
             */
            estimation_unit: "time" | "points" | "none";
            /** @description Icon of the project, such as an emoji. `null` if there is none. */
            icon: string | null;
            /**
             * Format: uuid
             * @description Identifies the project for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description Number of issues in each category, without archived ones. */
            issue_counts: {
                /** @description Issues in category `backlog`. */
                backlog: number;
                /** @description Issues in category `cancelled`. */
                cancelled: number;
                /** @description Issues in category `done`. */
                done: number;
                /** @description Issues in category `failed`. */
                failed: number;
                /** @description Issues in category `in_progress`. */
                in_progress: number;
                /** @description Issues in category `in_review`. */
                in_review: number;
                /** @description Issues in category `todo`. */
                todo: number;
            };
            /** @description Key of the project, the first part of its issue keys. It never changes. */
            key: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who leads the project. `null` if nobody does.
             */
            lead_user_id: string | null;
            /**
             * @description Your role in the project. `null` if its member list does not name you.
             * @enum {string|null}
             */
            my_role: "admin" | "member" | "viewer" | null;
            /** @description What people see as the project's name. Paths take its `key` or `slug`. */
            name: string;
            /** @description Whether only the project's members, owners and admins can see it. */
            scoped: boolean;
            /** @description Name of the project in addresses. It never changes. */
            slug: string;
            /**
             * Format: date-time
             * @description When work on the project starts. `null` if not planned.
             */
            start_at: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `start_at` is a whole day. `null` if it is an instant, or not set.
             */
            start_on: string | null;
            /**
             * Format: date-time
             * @description When the project should be finished. `null` if not planned.
             */
            target_at: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `target_at` is a whole day. `null` if it is an instant, or not set.
             */
            target_on: string | null;
            /** @description Columns that issues may move to from each column, by column id. An empty list allows no move; a column that is not named allows every move, and so does `null`. */
            transition_rules: {
                [key: string]: string[];
            } | null;
            /**
             * Format: date-time
             * @description When the project was last changed.
             */
            updated_at: string;
            /** @description Address of the project's page. */
            url: string;
            /**
             * @description What happens above a column's `wip_limit`: nothing, a warning, or a refusal.
             * @enum {string}
             */
            wip_mode: "off" | "warn" | "enforce";
        };
        ProjectCreateInput: {
            /** @description Color (`#RRGGBB`) that shows the project in lists. `null` for the standard color. */
            color?: string | null;
            /** @description What the project is about, as Markdown. `null` if nobody said. */
            description_md?: string | null;
            /**
             * @description Unit in which issues are estimated. Default: `time`.
             * @enum {string}
             */
            estimation_unit?: "time" | "points" | "none";
            /** @description Icon of the project, such as an emoji. `null` if there is none. */
            icon?: string | null;
            /** @description Key of the project, the first part of its issue keys. Made from the name if absent. It cannot be changed. */
            key?: string;
            /** @description Who leads the project: user id, e-mail address or `me`. `null` for nobody. */
            lead_user_id?: string | null;
            /** @description Members to add: user ids or e-mail addresses. Default: `[]`. */
            member_ids?: string[];
            /** @description What people see as the project's name. Paths take its `key` or `slug`. */
            name: string;
            /** @description Whether only the project's members, owners and admins can see it. Default: `false`. */
            scoped?: boolean;
            /** @description Name of the project in addresses. Default: the key in lower case. It cannot be changed. */
            slug?: string;
            /** @description When work on the project starts: `YYYY-MM-DD` (a whole day) or a date-time with offset. */
            start_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `start_at` is a whole day. `null` if it is an instant, or not set.
             */
            start_on?: string | null;
            /** @description Columns of the board, in order. Default: Backlog, To Do, In Progress, In Review, Done and Cancelled. */
            statuses?: {
                /**
                 * @description Category of the column, which its issues have as their `status`. Default: `todo`.
                 * @enum {string}
                 */
                category?: "backlog" | "todo" | "in_progress" | "in_review" | "done" | "failed" | "cancelled";
                /** @description Color (`#RRGGBB`) that shows the column on the board. Default: one that suits the category. */
                color?: string;
                /** @description Name of the column, unique in the project (ignoring case). */
                name: string;
            }[];
            /** @description When the project should be finished: `YYYY-MM-DD` (a whole day) or a date-time with offset. */
            target_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `target_at` is a whole day. `null` if it is an instant, or not set.
             */
            target_on?: string | null;
        };
        ProjectMember: {
            /**
             * Format: date-time
             * @description When they were added to the project.
             */
            added_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who added them. `null` if unknown.
             */
            added_by: string | null;
            /** @description Address of their picture. `null` if there is none. */
            avatar_url: string | null;
            /** @description E-mail address. Empty for agents. Guests see only their own. */
            email?: string;
            /** @description Display name. `null` until they choose one. */
            name: string | null;
            /**
             * @description What the member may do in the project: `viewer` reads, `member` works on issues, `admin` also changes the project.
             * @enum {string}
             */
            role: "admin" | "member" | "viewer";
            /**
             * Format: uuid
             * @description User id of the person or agent.
             */
            user_id: string;
        };
        ProjectMemberAddInput: {
            /**
             * @description Role in the project. If they are a member already, it replaces their role.
             * @enum {string}
             */
            role: "admin" | "member" | "viewer";
            /** @description Person or agent of the workspace: user id, e-mail address or `me`. */
            user_id: string;
        };
        ProjectPatchInput: {
            /** @description Whether an issue moves to a column in progress when an agent starts to work on it. */
            auto_start?: boolean;
            /** @description Color (`#RRGGBB`) that shows the project in lists. `null` for the standard color. */
            color?: string | null;
            /** @description Whom new issues are assigned to: user id, e-mail address or `me`. `null` for nobody. */
            default_assignee_id?: string | null;
            /** @description Id of the column that new issues go to. */
            default_status_id?: string;
            /** @description What the project is about, as Markdown. `null` if nobody said. */
            description_md?: string | null;
            /** @description Whether an issue with open blockers is kept out of progress, review and done. */
            enforce_blockers?: boolean;
            /**
             * @description Unit in which issues are estimated.
             * @enum {string}
             */
            estimation_unit?: "time" | "points" | "none";
            /** @description Icon of the project, such as an emoji. `null` if there is none. */
            icon?: string | null;
            /** @description Cannot be changed: any other value is refused. */
            key?: unknown;
            /** @description Who leads the project: user id, e-mail address or `me`. `null` for nobody. */
            lead_user_id?: string | null;
            /** @description What people see as the project's name. Paths take its `key` or `slug`. */
            name?: string;
            /** @description Whether only the project's members, owners and admins can see it. */
            scoped?: boolean;
            /** @description Cannot be changed: any other value is refused. */
            slug?: unknown;
            /** @description When work on the project starts: `YYYY-MM-DD` (a whole day) or a date-time with offset. */
            start_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `start_at` is a whole day. `null` if it is an instant, or not set.
             */
            start_on?: string | null;
            /** @description When the project should be finished: `YYYY-MM-DD` (a whole day) or a date-time with offset. */
            target_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `target_at` is a whole day. `null` if it is an instant, or not set.
             */
            target_on?: string | null;
            /** @description Columns that issues may move to from each column, by column id. An empty list allows no move; a column that is not named allows every move, and so does `null`. */
            transition_rules?: {
                [key: string]: string[];
            } | null;
            /**
             * @description What happens above a column's `wip_limit`: nothing, a warning, or a refusal.
             * @enum {string}
             */
            wip_mode?: "off" | "warn" | "enforce";
        };
        ProjectStatus: {
            /**
             * @description Category of the column, which its issues have as their `status`.
             * @enum {string}
             */
            category: "backlog" | "todo" | "in_progress" | "in_review" | "done" | "failed" | "cancelled";
            /** @description Color (`#RRGGBB`) that shows the column on the board. */
            color: string;
            /**
             * Format: date-time
             * @description When the column was created.
             */
            created_at: string;
            /** @description What the column is for. `null` if not described. */
            description: string | null;
            /**
             * Format: uuid
             * @description Identifies the column for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description Whether new issues go to this column. */
            is_default: boolean;
            /** @description Number of issues in the column, without archived ones. */
            issue_count: number;
            /** @description Name of the column, unique in the project (ignoring case). */
            name: string;
            /** @description Position in its list: ranks sort bytewise. Treat it as opaque; send one only if a reply has shown it. */
            rank: string;
            /**
             * Format: date-time
             * @description When the column was last changed.
             */
            updated_at: string;
            /** @description Maximum number of issues that should be in the column. `null` for no limit. */
            wip_limit: number | null;
        };
        Purchase: {
            /** @description The workspace's credits after the purchase. */
            ai_credits: {
                /** @description Credits that are left of the monthly grant. */
                remaining: number;
                /** @description Purchased credits that are not spent yet. */
                topup_balance: number;
            };
            /** @description What the pack costs, in cents, as a string of digits. */
            amount: string;
            /** @description Credits that the workspace can spend: both figures of `ai_credits` together. */
            balance: number;
            /** @description Id of the challenge that was paid. */
            challenge_id: string;
            /**
             * Format: date-time
             * @description When the purchase was created.
             */
            created_at: string;
            /** @description Credits that the payment added to the balance. They do not expire with the month. */
            credits: number;
            /**
             * @description State of the credits: `pending` until they are in the balance, `none` if the payment failed.
             * @enum {string}
             */
            credits_status: "granted" | "pending" | "none";
            /** @description Currency of the price, as an ISO 4217 code. */
            currency: string;
            /**
             * Format: uuid
             * @description Identifies the purchase for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description Pack that was bought. */
            pack: string;
            /**
             * @description State of the payment. `refunded`: the charge came after the purchase had failed and been replaced; the money goes back.
             * @enum {string}
             */
            payment_status: "succeeded" | "pending" | "failed" | "refunded";
            /**
             * Format: uuid
             * @description Id of the purchase, again.
             */
            purchase_id: string;
            /** @description Signed receipt. `null` until the payment has succeeded. */
            receipt: components["schemas"]["PaymentReceipt"] | null;
            /** @description Credits taken back so far, by refunds and disputes. */
            refunded_credits: number;
        };
        Release: {
            /**
             * Format: date-time
             * @description When the release was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who created the release. `null` if unknown.
             */
            created_by: string | null;
            /** @description Release notes as Markdown. `null` if there are none. */
            description_md: string | null;
            /**
             * Format: uuid
             * @description Identifies the release for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description What people see as the release's name. */
            name: string;
            /** @description How far the release's issues are. */
            progress: {
                /** @description Issues in category `cancelled`. */
                cancelled: number;
                /** @description Issues in category `done`. */
                done: number;
                /** @description Issues in category `failed`. */
                failed: number;
                /** @description Share of the issues that are done, without cancelled ones, in percent. 100 only if all are done. */
                percent: number;
                /** @description Number of issues, without archived ones. */
                total: number;
            };
            /** @description Position in its list: ranks sort bytewise. Treat it as opaque; send one only if a reply has shown it. */
            rank: string;
            /**
             * Format: date-time
             * @description When it was released. `null` if it was not.
             */
            released_at: string | null;
            /**
             * @description How far the release is, as people set it. `released` stamps `released_at`.
             * @enum {string}
             */
            status: "planned" | "in_progress" | "released" | "cancelled";
            /**
             * Format: date-time
             * @description When the release is planned for. `null` if not planned.
             */
            target_date: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `target_date` is a whole day. `null` if it is an instant, or not set.
             */
            target_on: string | null;
            /**
             * Format: date-time
             * @description When the release was last changed.
             */
            updated_at: string;
            /** @description Version that the release has. `null` if not set. */
            version: string | null;
        };
        ReleaseCreateInput: {
            /** @description Id of the release to place this one directly after. Send only one of `before`, `after` and `rank`. */
            after?: string;
            /** @description Id of the release to place this one directly before. Send only one of `before`, `after` and `rank`. */
            before?: string;
            /** @description Release notes as Markdown. `null` if there are none. */
            description_md?: string | null;
            /** @description What people see as the release's name. */
            name: string;
            /** @description Position in its list: ranks sort bytewise. Treat it as opaque; send one only if a reply has shown it. */
            rank?: string;
            /**
             * @description How far the release is, as people set it. `released` stamps `released_at`. Default: `planned`.
             * @enum {string}
             */
            status?: "planned" | "in_progress" | "released" | "cancelled";
            /** @description When the release is planned for: `YYYY-MM-DD` (a whole day) or a date-time with offset. `null` clears it. */
            target_date?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `target_date` is a whole day. `null` if it is an instant, or not set.
             */
            target_on?: string | null;
            /** @description Version that the release has. `null` if not set. */
            version?: string | null;
        };
        ReleasePatchInput: {
            /** @description Id of the release to place this one directly after. Send only one of `before`, `after` and `rank`. */
            after?: string;
            /** @description Id of the release to place this one directly before. Send only one of `before`, `after` and `rank`. */
            before?: string;
            /** @description Release notes as Markdown. `null` if there are none. */
            description_md?: string | null;
            /** @description What people see as the release's name. */
            name?: string;
            /** @description Position in its list: ranks sort bytewise. Treat it as opaque; send one only if a reply has shown it. */
            rank?: string;
            /** @description When it was released. Not in the future, and only with status `released`. */
            released_at?: string | null;
            /**
             * @description How far the release is, as people set it. `released` stamps `released_at`.
             * @enum {string}
             */
            status?: "planned" | "in_progress" | "released" | "cancelled";
            /** @description When the release is planned for: `YYYY-MM-DD` (a whole day) or a date-time with offset. `null` clears it. */
            target_date?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `target_date` is a whole day. `null` if it is an instant, or not set.
             */
            target_on?: string | null;
            /** @description Version that the release has. `null` if not set. */
            version?: string | null;
        };
        Report: {
            /** @description Figures of the report. `null` if the report is about sprints and the project has none. */
            data: {
                /** @description Average of `completed` over the completed sprints of the report. */
                average: number;
                /** @description Average of `completed` over the last three completed sprints. */
                average_3: number;
                /** @description Active or completed sprints, oldest first: those that began in the range, or else the last 12. */
                bars: {
                    /** @description Issues that are in the sprint at its end, or now, but were not when it started. */
                    added_issues: number;
                    /** @description Issues that were still open when the sprint was completed. */
                    carried_over_issues: number;
                    /** @description Estimates of the issues in the sprint when it started, in the unit. */
                    committed: number;
                    /** @description Issues in the sprint when it started. */
                    committed_issues: number;
                    /** @description Story points in the sprint when it started. */
                    committed_points: number;
                    /** @description Estimates of the issues done in the sprint, in the unit; for an active sprint, so far. */
                    completed: number;
                    /** @description Issues done in the sprint. */
                    completed_issues: number;
                    /** @description Story points of the issues done in the sprint. */
                    completed_points: number;
                    /**
                     * Format: date-time
                     * @description Planned end of the sprint. `null` if not planned.
                     */
                    end_at: string | null;
                    /** @description Issues that were in the sprint when it started, but are not at its end, or now. */
                    removed_issues: number;
                    /**
                     * Format: uuid
                     * @description The sprint that the numbers are about.
                     */
                    sprint_id: string;
                    /** @description The sprint's present name, for the legend of a chart. */
                    sprint_name: string;
                    /**
                     * Format: date-time
                     * @description Planned start of the sprint. `null` if not planned.
                     */
                    start_at: string | null;
                    /**
                     * @description Whether the sprint still runs: numbers of an `active` one are as of now.
                     * @enum {string}
                     */
                    status: "planned" | "active" | "completed";
                }[];
                /**
                 * @description What the project estimates in. Issues without an estimate count 0.
                 * @enum {string}
                 */
                unit: "points" | "minutes" | "issues";
            } | null;
            /**
             * Format: date-time
             * @description When the report was made.
             */
            generated_at: string;
            /** @description Parameters that the call sent, with the sprint as an id, and the time zone whose days count. */
            params: {
                /**
                 * Format: date
                 * @description First day that counts.
                 */
                from?: string;
                /**
                 * @description Length of the periods.
                 * @enum {string}
                 */
                interval?: "day" | "week" | "month";
                /**
                 * Format: uuid
                 * @description The sprint that the report was asked for.
                 */
                sprint?: string;
                /**
                 * Format: date
                 * @description Last day that counts.
                 */
                to?: string;
                /** @description The time zone whose days, weeks and months count: that of the call, else that of the workspace. */
                tz: string;
            };
            /** @description The project whose issues are counted. */
            project_key: string;
            /**
             * @description Which report it is; it decides the shape of `data`.
             * @constant
             */
            report: "velocity";
        } | {
            /** @description Figures of the report. `null` if the report is about sprints and the project has none. */
            data: {
                /**
                 * Format: date-time
                 * @description Planned end of the sprint. `null` if not planned.
                 */
                end_at: string | null;
                /** @description One point per day of the sprint, at most 366. */
                points: {
                    /** @description Estimates of the issues done, in the unit. `null` for days to come. */
                    completed: number | null;
                    /** @description Issues done. `null` for days to come. */
                    completed_issues: number | null;
                    /** @description Story points of the issues done. `null` for days to come. */
                    completed_points: number | null;
                    /**
                     * Format: date
                     * @description Day in the time zone of the report, as `YYYY-MM-DD`.
                     */
                    date: string;
                    /** @description What would remain if work went on evenly, in the unit. */
                    ideal: number;
                    /** @description Estimates of the issues still open, in the unit, without failed and cancelled ones. `null` for days to come. */
                    remaining: number | null;
                    /** @description Issues still open. `null` for days to come. */
                    remaining_issues: number | null;
                    /** @description Story points of the issues still open. `null` for days to come. */
                    remaining_points: number | null;
                    /** @description Estimates of all issues at the end of the day, in the unit. `null` for days to come. */
                    scope: number | null;
                    /** @description Number of issues. `null` for days to come. */
                    scope_issues: number | null;
                    /** @description Story points of all issues. `null` for days to come. */
                    scope_points: number | null;
                }[];
                /**
                 * Format: uuid
                 * @description The sprint that the numbers are about.
                 */
                sprint_id: string;
                /** @description The sprint's present name, for the legend of a chart. */
                sprint_name: string;
                /**
                 * Format: date-time
                 * @description Planned start of the sprint. `null` if not planned.
                 */
                start_at: string | null;
                /**
                 * @description What the project estimates in. Issues without an estimate count 0.
                 * @enum {string}
                 */
                unit: "points" | "minutes" | "issues";
            } | null;
            /**
             * Format: date-time
             * @description When the report was made.
             */
            generated_at: string;
            /** @description Parameters that the call sent, with the sprint as an id, and the time zone whose days count. */
            params: {
                /**
                 * Format: date
                 * @description First day that counts.
                 */
                from?: string;
                /**
                 * @description Length of the periods.
                 * @enum {string}
                 */
                interval?: "day" | "week" | "month";
                /**
                 * Format: uuid
                 * @description The sprint that the report was asked for.
                 */
                sprint?: string;
                /**
                 * Format: date
                 * @description Last day that counts.
                 */
                to?: string;
                /** @description The time zone whose days, weeks and months count: that of the call, else that of the workspace. */
                tz: string;
            };
            /** @description The project whose issues are counted. */
            project_key: string;
            /**
             * @description Which report it is; it decides the shape of `data`.
             * @constant
             */
            report: "burndown";
        } | {
            /** @description Figures of the report. `null` if the report is about sprints and the project has none. */
            data: {
                /** @description Average cycle time in hours. `null` if there is none. */
                average_hours: number | null;
                /** @description Average lead time in hours. `null` if there is none. */
                average_lead_hours: number | null;
                /** @description Number of issues by cycle time in days. */
                buckets: {
                    /** @description How many issues that are not archived it has. */
                    count: number;
                    /** @description Range in days. */
                    label: string;
                    /** @description Cycle time that the range ends before, in days. `null` for no end. */
                    max_days: number | null;
                    /** @description Shortest cycle time of the range, in days. */
                    min_days: number;
                }[];
                /** @description Issues done in the range, or else in the last 90 days. */
                count: number;
                /** @description Those issues, latest first; at most 10,000. */
                issues: {
                    /**
                     * Format: uuid
                     * @description User id of the first assignee. `null` if the issue is unassigned.
                     */
                    assignee_id: string | null;
                    /** @description Names of all assignees, in the same order. */
                    assignee_names: string[];
                    /** @description User ids of all assignees. */
                    assignees: string[];
                    /**
                     * Format: date-time
                     * @description When the issue was created.
                     */
                    created_at: string;
                    /** @description Cycle time: hours from started to done. `null` if never started. */
                    cycle_hours: number | null;
                    /** @description The issue that was done, as `KEY-N`. */
                    issue_key: string;
                    /** @description Lead time: hours from created to done. */
                    lead_hours: number;
                    /**
                     * @description How urgent it was when it was last changed.
                     * @enum {string}
                     */
                    priority: "lowest" | "low" | "medium" | "high" | "highest" | "critical";
                    /**
                     * Format: date-time
                     * @description When the issue was done.
                     */
                    resolved_at: string;
                    /**
                     * Format: date-time
                     * @description When the issue first went into progress. `null` if never.
                     */
                    started_at: string | null;
                    /** @description Title of the issue, as of now. */
                    title: string;
                    /**
                     * @description What kind of work it was.
                     * @enum {string}
                     */
                    type: "epic" | "story" | "task" | "bug" | "subtask";
                }[];
                /** @description Percentiles of the cycle times. */
                percentiles: {
                    /** @description Cycle time that half of the issues do not exceed, in hours. `null` if there is none. */
                    p50: number | null;
                    /** @description Cycle time that 75 % of the issues do not exceed, in hours. `null` if there is none. */
                    p75: number | null;
                    /** @description Cycle time that 85 % of the issues do not exceed, in hours. `null` if there is none. */
                    p85: number | null;
                    /** @description Cycle time that 95 % of the issues do not exceed, in hours. `null` if there is none. */
                    p95: number | null;
                };
                /** @description Figures of each period, oldest first. Empty without `interval`. */
                periods: {
                    /** @description Average cycle time in hours. `null` if there is none. */
                    average_hours: number | null;
                    /** @description Average lead time in hours. `null` if there is none. */
                    average_lead_hours: number | null;
                    /** @description Issues done in the period. */
                    count: number;
                    /**
                     * Format: date
                     * @description Last day of the period, as `YYYY-MM-DD`.
                     */
                    end: string;
                    /** @description Cycle time that half of the issues do not exceed, in hours. `null` if there is none. */
                    p50: number | null;
                    /** @description Cycle time that 85 % of the issues do not exceed, in hours. `null` if there is none. */
                    p85: number | null;
                    /**
                     * Format: date
                     * @description First day of the period, as `YYYY-MM-DD`.
                     */
                    start: string;
                }[];
            };
            /**
             * Format: date-time
             * @description When the report was made.
             */
            generated_at: string;
            /** @description Parameters that the call sent, with the sprint as an id, and the time zone whose days count. */
            params: {
                /**
                 * Format: date
                 * @description First day that counts.
                 */
                from?: string;
                /**
                 * @description Length of the periods.
                 * @enum {string}
                 */
                interval?: "day" | "week" | "month";
                /**
                 * Format: uuid
                 * @description The sprint that the report was asked for.
                 */
                sprint?: string;
                /**
                 * Format: date
                 * @description Last day that counts.
                 */
                to?: string;
                /** @description The time zone whose days, weeks and months count: that of the call, else that of the workspace. */
                tz: string;
            };
            /** @description The project whose issues are counted. */
            project_key: string;
            /**
             * @description Which report it is; it decides the shape of `data`.
             * @constant
             */
            report: "cycle-time";
        } | {
            /** @description Figures of the report. `null` if the report is about sprints and the project has none. */
            data: {
                /** @description Average number of issues resolved in a period. */
                average_resolved: number;
                /** @description Issues created in all periods. */
                total_created: number;
                /** @description Issues resolved in all periods. */
                total_resolved: number;
                /** @description The periods, oldest first, including those without issues. By default the last 12 ISO weeks with this one. */
                weeks: {
                    /** @description How many issues were resolved as cancelled in that time. */
                    cancelled: number;
                    /** @description How many issues were created in that time, whatever became of them. */
                    created: number;
                    /** @description How many issues were resolved as done in that time. */
                    done: number;
                    /** @description Story points of the issues done. */
                    done_points: number;
                    /** @description How many issues were resolved as failed in that time. */
                    failed: number;
                    /** @description Issues created less issues resolved. */
                    net: number;
                    /** @description Issues resolved: done, failed or cancelled. */
                    resolved: number;
                    /**
                     * Format: date
                     * @description Last day of the period, as `YYYY-MM-DD`.
                     */
                    week_end: string;
                    /**
                     * Format: date
                     * @description First day of the period, a Monday for weeks, as `YYYY-MM-DD`.
                     */
                    week_start: string;
                }[];
            };
            /**
             * Format: date-time
             * @description When the report was made.
             */
            generated_at: string;
            /** @description Parameters that the call sent, with the sprint as an id, and the time zone whose days count. */
            params: {
                /**
                 * Format: date
                 * @description First day that counts.
                 */
                from?: string;
                /**
                 * @description Length of the periods.
                 * @enum {string}
                 */
                interval?: "day" | "week" | "month";
                /**
                 * Format: uuid
                 * @description The sprint that the report was asked for.
                 */
                sprint?: string;
                /**
                 * Format: date
                 * @description Last day that counts.
                 */
                to?: string;
                /** @description The time zone whose days, weeks and months count: that of the call, else that of the workspace. */
                tz: string;
            };
            /** @description The project whose issues are counted. */
            project_key: string;
            /**
             * @description Which report it is; it decides the shape of `data`.
             * @constant
             */
            report: "throughput";
        } | {
            /** @description Figures of the report. `null` if the report is about sprints and the project has none. */
            data: {
                /** @description One entry per column, in the order of the board. */
                slices: {
                    /** @description Average number of days since the issues were created. 0 if there are none. */
                    avg_age_days: number;
                    /**
                     * @description Which category the column belongs to; reports on work that is done go by it.
                     * @enum {string}
                     */
                    category: "backlog" | "todo" | "in_progress" | "in_review" | "done" | "failed" | "cancelled";
                    /** @description Color of the column as `#RRGGBB`. */
                    color: string;
                    /** @description How many issues that are not archived it has. */
                    count: number;
                    /** @description Share of all issues, in percent with one decimal. */
                    percent: number;
                    /** @description Story points of the issues. */
                    points: number;
                    /**
                     * Format: uuid
                     * @description The column that is counted. Lists take it as `status=`.
                     */
                    status_id: string;
                    /** @description The column's present name. */
                    status_name: string;
                }[];
                /** @description Number of issues, without archived ones. */
                total: number;
                /** @description Story points of all issues. */
                total_points: number;
            };
            /**
             * Format: date-time
             * @description When the report was made.
             */
            generated_at: string;
            /** @description Parameters that the call sent, with the sprint as an id, and the time zone whose days count. */
            params: {
                /**
                 * Format: date
                 * @description First day that counts.
                 */
                from?: string;
                /**
                 * @description Length of the periods.
                 * @enum {string}
                 */
                interval?: "day" | "week" | "month";
                /**
                 * Format: uuid
                 * @description The sprint that the report was asked for.
                 */
                sprint?: string;
                /**
                 * Format: date
                 * @description Last day that counts.
                 */
                to?: string;
                /** @description The time zone whose days, weeks and months count: that of the call, else that of the workspace. */
                tz: string;
            };
            /** @description The project whose issues are counted. */
            project_key: string;
            /**
             * @description Which report it is; it decides the shape of `data`.
             * @constant
             */
            report: "status-breakdown";
        } | {
            /** @description Figures of the report. `null` if the report is about sprints and the project has none. */
            data: {
                /** @description One entry per issue type. */
                slices: {
                    /** @description Issues in category `cancelled`. */
                    cancelled: number;
                    /** @description How many issues that are not archived it has. */
                    count: number;
                    /** @description Issues in category `done`. */
                    done: number;
                    /** @description Issues in category `failed`. */
                    failed: number;
                    /** @description Issues in category `in_progress` or `in_review`. */
                    in_progress: number;
                    /** @description Share of all issues, in percent with one decimal. */
                    percent: number;
                    /** @description Story points of the issues. */
                    points: number;
                    /** @description Issues in category `backlog` or `todo`. */
                    todo: number;
                    /**
                     * @description The type that is counted. Every type has a slice.
                     * @enum {string}
                     */
                    type: "epic" | "story" | "task" | "bug" | "subtask";
                }[];
                /** @description Number of issues, without archived ones. */
                total: number;
            };
            /**
             * Format: date-time
             * @description When the report was made.
             */
            generated_at: string;
            /** @description Parameters that the call sent, with the sprint as an id, and the time zone whose days count. */
            params: {
                /**
                 * Format: date
                 * @description First day that counts.
                 */
                from?: string;
                /**
                 * @description Length of the periods.
                 * @enum {string}
                 */
                interval?: "day" | "week" | "month";
                /**
                 * Format: uuid
                 * @description The sprint that the report was asked for.
                 */
                sprint?: string;
                /**
                 * Format: date
                 * @description Last day that counts.
                 */
                to?: string;
                /** @description The time zone whose days, weeks and months count: that of the call, else that of the workspace. */
                tz: string;
            };
            /** @description The project whose issues are counted. */
            project_key: string;
            /**
             * @description Which report it is; it decides the shape of `data`.
             * @constant
             */
            report: "type-breakdown";
        } | {
            /** @description Figures of the report. `null` if the report is about sprints and the project has none. */
            data: {
                /** @description Number of open issues, each counted once. */
                open_total: number;
                /** @description One entry per assignee. An issue counts for each of its assignees. */
                rows: {
                    /**
                     * Format: uuid
                     * @description User id of the assignee. `null` for issues that nobody is assigned to.
                     */
                    assignee_id: string | null;
                    /**
                     * @description Kind of the assignee. `none` for issues that nobody is assigned to.
                     * @enum {string}
                     */
                    assignee_kind: "user" | "agent" | "none";
                    /** @description The assignee's name, for people. */
                    assignee_name: string;
                    /** @description Estimated minutes of the open issues. */
                    estimate_minutes: number;
                    /** @description Open issues in category `in_progress` or `in_review`. */
                    in_progress: number;
                    /** @description How many assigned issues are not closed. */
                    open: number;
                    /** @description Open issues whose due date has passed. */
                    overdue: number;
                    /** @description Story points of the open issues. */
                    points: number;
                    /** @description Minutes spent on the open issues. */
                    spent_minutes: number;
                }[];
                /** @description Open issues that nobody is assigned to. */
                unassigned: number;
            };
            /**
             * Format: date-time
             * @description When the report was made.
             */
            generated_at: string;
            /** @description Parameters that the call sent, with the sprint as an id, and the time zone whose days count. */
            params: {
                /**
                 * Format: date
                 * @description First day that counts.
                 */
                from?: string;
                /**
                 * @description Length of the periods.
                 * @enum {string}
                 */
                interval?: "day" | "week" | "month";
                /**
                 * Format: uuid
                 * @description The sprint that the report was asked for.
                 */
                sprint?: string;
                /**
                 * Format: date
                 * @description Last day that counts.
                 */
                to?: string;
                /** @description The time zone whose days, weeks and months count: that of the call, else that of the workspace. */
                tz: string;
            };
            /** @description The project whose issues are counted. */
            project_key: string;
            /**
             * @description Which report it is; it decides the shape of `data`.
             * @constant
             */
            report: "workload";
        };
        SavedView: {
            /** @description Fields to show for each issue, in order. Empty for the client's own choice. */
            columns: string[];
            /**
             * Format: date-time
             * @description When the view was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who created the view.
             */
            created_by: string;
            /** @description Which issues the view shows, and in which order. Columns and labels are named by id. Views that were saved before filters were checked may have other content. */
            filter: unknown;
            /** @description Ids in the filter whose column, label, field, sprint or milestone was deleted. They match no issue. */
            filter_deleted: string[];
            /** @description Current names of the columns, labels, custom fields, sprints and milestones that the filter names, by id. */
            filter_names: {
                [key: string]: string;
            };
            /**
             * @description What the issues are grouped by. `null` for no groups.
             * @enum {string|null}
             */
            group_by: "status" | "assignee" | "priority" | "label" | "sprint" | "type" | "epic" | null;
            /**
             * Format: uuid
             * @description Identifies the view for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description Whether everybody in the project sees the view, or only its creator. */
            is_shared: boolean;
            /**
             * @description How the issues are shown.
             * @enum {string}
             */
            layout: "board" | "backlog" | "list" | "calendar" | "timeline";
            /** @description What people see as the view's name. */
            name: string;
            /** @description Key of the project that the view belongs to. */
            project_key: string;
            /**
             * Format: date-time
             * @description When the view was last changed.
             */
            updated_at: string;
        };
        SavedViewCreateInput: {
            /** @description Fields to show for each issue, in order. Empty for the client's own choice. Default: `[]`. */
            columns?: string[];
            /** @description Which issues the view shows, and in which order, at most 16 KiB. Fields that it does not know are refused. Default: `{}`. */
            filter?: {
                /** @description User id of an assignee, `me` for the person who reads the view, or `none`. May be sent as an e-mail address. `null` or absent: no limit. */
                assigneeId?: string | null;
                /** @description Values of custom fields, by the field's name or id; stored by id. A text is read like the parameter `customFields.<name>` of the issue list, a list has whole values. */
                customFields?: {
                    [key: string]: (string | number | boolean) | (string | number | boolean)[] | null;
                };
                /** @description Types of the issues. Empty or absent: all. */
                issueTypes?: ("epic" | "story" | "task" | "bug" | "subtask")[];
                /** @description Labels of the issues: those with at least one of them. May be sent by name, and are stored by id. Empty or absent: all. */
                labels?: string[];
                /** @description Id of the issues' milestone, or `none`. `null` or absent: no limit. */
                milestoneId?: string | null;
                /** @description Priorities of the issues, by name. Empty or absent: all. */
                priorities?: ("lowest" | "low" | "medium" | "high" | "highest" | "critical")[];
                /** @description Words in key, title or description. `null` or absent: no limit. */
                q?: string | null;
                /**
                 * @description Order of the issues. `null` or absent: by rank.
                 * @enum {string|null}
                 */
                sort?: "rank" | "updated_desc" | "created_desc" | "priority_desc" | "due_asc" | null;
                /** @description Id of the issues' sprint, `active` or `none`. `null` or absent: no limit. */
                sprintId?: string | null;
                /** @description Columns or categories of the issues. A column may be sent by its name, and is stored by its id, so that renaming it changes nothing. Empty or absent: all. */
                statuses?: string[];
            };
            /**
             * @description What the issues are grouped by. `null` for no groups. Default: `null`.
             * @enum {string|null}
             */
            group_by?: "status" | "assignee" | "priority" | "label" | "sprint" | "type" | "epic" | null;
            /** @description Whether everybody in the project sees the view, or only its creator. Default: `true`. */
            is_shared?: boolean;
            /**
             * @description How the issues are shown. Default: `board`.
             * @enum {string}
             */
            layout?: "board" | "backlog" | "list" | "calendar" | "timeline";
            /** @description What people see as the view's name. */
            name: string;
        };
        SavedViewPatchInput: {
            /** @description Fields to show for each issue, in order. Empty for the client's own choice. */
            columns?: string[];
            /** @description Which issues the view shows, and in which order, at most 16 KiB. Fields that it does not know are refused. */
            filter?: {
                /** @description User id of an assignee, `me` for the person who reads the view, or `none`. May be sent as an e-mail address. `null` or absent: no limit. */
                assigneeId?: string | null;
                /** @description Values of custom fields, by the field's name or id; stored by id. A text is read like the parameter `customFields.<name>` of the issue list, a list has whole values. */
                customFields?: {
                    [key: string]: (string | number | boolean) | (string | number | boolean)[] | null;
                };
                /** @description Types of the issues. Empty or absent: all. */
                issueTypes?: ("epic" | "story" | "task" | "bug" | "subtask")[];
                /** @description Labels of the issues: those with at least one of them. May be sent by name, and are stored by id. Empty or absent: all. */
                labels?: string[];
                /** @description Id of the issues' milestone, or `none`. `null` or absent: no limit. */
                milestoneId?: string | null;
                /** @description Priorities of the issues, by name. Empty or absent: all. */
                priorities?: ("lowest" | "low" | "medium" | "high" | "highest" | "critical")[];
                /** @description Words in key, title or description. `null` or absent: no limit. */
                q?: string | null;
                /**
                 * @description Order of the issues. `null` or absent: by rank.
                 * @enum {string|null}
                 */
                sort?: "rank" | "updated_desc" | "created_desc" | "priority_desc" | "due_asc" | null;
                /** @description Id of the issues' sprint, `active` or `none`. `null` or absent: no limit. */
                sprintId?: string | null;
                /** @description Columns or categories of the issues. A column may be sent by its name, and is stored by its id, so that renaming it changes nothing. Empty or absent: all. */
                statuses?: string[];
            };
            /**
             * @description What the issues are grouped by. `null` for no groups.
             * @enum {string|null}
             */
            group_by?: "status" | "assignee" | "priority" | "label" | "sprint" | "type" | "epic" | null;
            /** @description Whether everybody in the project sees the view, or only its creator. */
            is_shared?: boolean;
            /**
             * @description How the issues are shown.
             * @enum {string}
             */
            layout?: "board" | "backlog" | "list" | "calendar" | "timeline";
            /** @description What people see as the view's name. */
            name?: string;
        };
        SearchResult: {
            /**
             * Format: uuid
             * @description Id of the object. Read it with the call of its `type`. For people, the user id.
             */
            id: string;
            /** @description Key of the issue, also for its comments, or of the project. `null` for others. */
            key: string | null;
            /** @description Key of the project. `null` for objects of the whole workspace. */
            project_key: string | null;
            /** @description How well the object matches, 0 to 1. 1000 for the issue whose key is searched for. Results come in the order of their scores. */
            score: number;
            /** @description HTML of at most 200 characters: the text around the first match, with `<mark>` around the matches. Everything else is escaped. For people, the e-mail address or the name. */
            snippet: string;
            /**
             * @description Category of the issue's status, also for its comments. `null` for others.
             * @enum {string|null}
             */
            status: "backlog" | "todo" | "in_progress" | "in_review" | "done" | "failed" | "cancelled" | null;
            /** @description Title of the issue, doc or goal, also for its comments. For messages, the name of the channel. For projects and people, the name. */
            title: string;
            /**
             * @description `issue`, `doc`, `comment` (of an issue or a doc), `message` (of a channel), `project`, `person` (a member) or `goal`.
             * @enum {string}
             */
            type: "issue" | "doc" | "comment" | "message" | "project" | "person" | "goal";
            /**
             * Format: date-time
             * @description When the object was last changed. For people, when they joined.
             */
            updated_at: string;
            /** @description Address of the object's page. */
            url: string | null;
        };
        Sprint: {
            /** @description Story points that the team can do in the sprint. `null` if not set. */
            capacity_points: number | null;
            /** @description What was in the sprint when it started. `null` if it has not started. */
            committed: {
                /** @description How many issues the sprint had at that time. */
                issues: number;
                /** @description Story points of these issues. */
                points: number;
            } | null;
            /**
             * Format: date-time
             * @description When the sprint was completed. `null` if it is not.
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description When the sprint was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who created the sprint. `null` if unknown.
             */
            created_by: string | null;
            /**
             * Format: uuid
             * @description Id of the sprint that this call set back to planned by starting this one. Else `null`.
             */
            demoted_sprint_id: string | null;
            /**
             * Format: date-time
             * @description When the sprint ends. `null` if not planned.
             */
            end_at: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `end_at` is a whole day. `null` if it is an instant, or not set.
             */
            end_on: string | null;
            /** @description What the sprint should achieve. `null` if not set. */
            goal: string | null;
            /**
             * Format: uuid
             * @description Identifies the sprint for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description What people see as the sprint's name. Filters take it too. */
            name: string;
            /** @description How far the sprint's issues are. */
            progress: {
                /** @description Issues in category `cancelled`. */
                cancelled: number;
                /** @description Issues in category `done`. */
                done: number;
                /** @description Story points of the issues in category `done`. */
                done_points: number;
                /** @description Issues in category `failed`. */
                failed: number;
                /** @description Share of the issues that are done, without cancelled ones, in percent. 100 only if all are done. */
                percent: number;
                /** @description Story points of all issues, without archived ones. */
                points: number;
                /** @description Number of issues, without archived ones. */
                total: number;
            };
            /** @description Position in its list: ranks sort bytewise. Treat it as opaque; send one only if a reply has shown it. */
            rank: string;
            /**
             * Format: date-time
             * @description When the sprint starts. `null` if not planned.
             */
            start_at: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `start_at` is a whole day. `null` if it is an instant, or not set.
             */
            start_on: string | null;
            /**
             * Format: date-time
             * @description When the sprint was made active. `null` if it was not.
             */
            started_at: string | null;
            /**
             * @description Status of the sprint. One sprint of a project is active at a time.
             * @enum {string}
             */
            status: "planned" | "active" | "completed";
            /**
             * Format: date-time
             * @description When the sprint was last changed.
             */
            updated_at: string;
        };
        SprintCreateInput: {
            /** @description Id of the sprint to place this one directly after. Send only one of `before`, `after` and `rank`. */
            after?: string;
            /** @description Id of the sprint to place this one directly before. Send only one of `before`, `after` and `rank`. */
            before?: string;
            /** @description Story points that the team can do in the sprint. `null` if not set. */
            capacity_points?: number | null;
            /** @description When the sprint ends: `YYYY-MM-DD` (a whole day) or a date-time with offset. `null` clears it. */
            end_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `end_at` is a whole day. `null` if it is an instant, or not set.
             */
            end_on?: string | null;
            /** @description What the sprint should achieve. `null` if not set. */
            goal?: string | null;
            /** @description What people see as the sprint's name. Filters take it too. */
            name: string;
            /** @description Position in its list: ranks sort bytewise. Treat it as opaque; send one only if a reply has shown it. */
            rank?: string;
            /** @description When the sprint starts: `YYYY-MM-DD` (a whole day) or a date-time with offset. `null` clears it. */
            start_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `start_at` is a whole day. `null` if it is an instant, or not set.
             */
            start_on?: string | null;
            /**
             * @description Status of the sprint. `active` starts it and sets the sprint that is active back to `planned`. Default: `planned`.
             * @enum {string}
             */
            status?: "planned" | "active" | "completed";
        };
        SprintPatchInput: {
            /** @description Id of the sprint to place this one directly after. Send only one of `before`, `after` and `rank`. */
            after?: string;
            /** @description Id of the sprint to place this one directly before. Send only one of `before`, `after` and `rank`. */
            before?: string;
            /** @description Story points that the team can do in the sprint. `null` if not set. */
            capacity_points?: number | null;
            /** @description When the sprint ends: `YYYY-MM-DD` (a whole day) or a date-time with offset. `null` clears it. */
            end_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `end_at` is a whole day. `null` if it is an instant, or not set.
             */
            end_on?: string | null;
            /** @description What the sprint should achieve. `null` if not set. */
            goal?: string | null;
            /** @description With `status` completed: id of the sprint for issues that are still open, or `backlog`. `null` keeps them. */
            move_open_issues_to?: string | null;
            /** @description What people see as the sprint's name. Filters take it too. */
            name?: string;
            /** @description Position in its list: ranks sort bytewise. Treat it as opaque; send one only if a reply has shown it. */
            rank?: string;
            /** @description When the sprint starts: `YYYY-MM-DD` (a whole day) or a date-time with offset. `null` clears it. */
            start_at?: string | null;
            /**
             * Format: date
             * @description The day, `YYYY-MM-DD`, if `start_at` is a whole day. `null` if it is an instant, or not set.
             */
            start_on?: string | null;
            /**
             * @description Status of the sprint. `active` starts it and sets the sprint that is active back to `planned`.
             * @enum {string}
             */
            status?: "planned" | "active" | "completed";
        };
        StatusCreateInput: {
            /** @description Id of the column to place this one directly after. Send only one of `before`, `after` and `rank`. */
            after?: string;
            /** @description Id of the column to place this one directly before. Send only one of `before`, `after` and `rank`. */
            before?: string;
            /**
             * @description Category of the column, which its issues have as their `status`. Default: `todo`.
             * @enum {string}
             */
            category?: "backlog" | "todo" | "in_progress" | "in_review" | "done" | "failed" | "cancelled";
            /** @description Color (`#RRGGBB`) that shows the column on the board. */
            color?: string;
            /** @description What the column is for. `null` if not described. */
            description?: string | null;
            /** @description `true` sends new issues to this column instead of the present default one. `false` is refused for the default. */
            is_default?: boolean;
            /** @description Name of the column, unique in the project (ignoring case). */
            name: string;
            /** @description Position in its list: ranks sort bytewise. Treat it as opaque; send one only if a reply has shown it. */
            rank?: string;
            /** @description Maximum number of issues that should be in the column. `null` for no limit. */
            wip_limit?: number | null;
        };
        StatusPatchInput: {
            /** @description Id of the column to place this one directly after. Send only one of `before`, `after` and `rank`. */
            after?: string;
            /** @description Id of the column to place this one directly before. Send only one of `before`, `after` and `rank`. */
            before?: string;
            /**
             * @description Category of the column, which its issues have as their `status`.
             * @enum {string}
             */
            category?: "backlog" | "todo" | "in_progress" | "in_review" | "done" | "failed" | "cancelled";
            /** @description Color (`#RRGGBB`) that shows the column on the board. */
            color?: string;
            /** @description What the column is for. `null` if not described. */
            description?: string | null;
            /** @description `true` sends new issues to this column instead of the present default one. `false` is refused for the default. */
            is_default?: boolean;
            /** @description Name of the column, unique in the project (ignoring case). */
            name?: string;
            /** @description Position in its list: ranks sort bytewise. Treat it as opaque; send one only if a reply has shown it. */
            rank?: string;
            /** @description Maximum number of issues that should be in the column. `null` for no limit. */
            wip_limit?: number | null;
        };
        StreamEnd: {
            /**
             * Format: uuid
             * @description Id of the last event that was sent, from which to resume. Absent if there was none.
             */
            last_event_id?: string;
            /**
             * @description `closing`: connect again. `too_slow`: the client did not read fast enough; connect again. `no_access`, `key_revoked`: the caller may no longer listen.
             * @enum {string}
             */
            reason: "closing" | "no_access" | "key_revoked" | "too_slow";
        };
        TimeEntry: {
            /**
             * Format: uuid
             * @description User id of the person or agent who logged the time.
             */
            author_id: string;
            /**
             * Format: uuid
             * @description Identifies the entry for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description Minutes that were spent. A negative number takes time back. */
            minutes: number;
            /** @description What the time was spent on. `null` if not said. */
            note: string | null;
            /** @description Day (UTC) on which the time was spent, as `YYYY-MM-DD`. */
            spent_on: string;
        };
        TimeEntryCreateInput: {
            /** @description Minutes that were spent, up to a day. A negative number takes back minutes of the caller; admins may take back others'. */
            minutes: number | string;
            /** @description What the time was spent on. `null` if not said. */
            note?: string | null;
            /**
             * Format: date
             * @description Day on which the time was spent, as `YYYY-MM-DD`. Default: today (UTC). It must have begun somewhere on earth.
             */
            spent_on?: string;
        };
        TimeEntryPatchInput: {
            /** @description Minutes that were spent, up to a day. A negative number takes back minutes of the caller; admins may take back others'. */
            minutes?: number | string;
            /** @description What the time was spent on. `null` if not said. */
            note?: string | null;
            /**
             * Format: date
             * @description Day on which the time was spent, as `YYYY-MM-DD`. It must have begun somewhere on earth.
             */
            spent_on?: string;
        };
        TimePatchInput: {
            /** @description How much of the work is done, in percent. `null` if not set. */
            completion_pct?: number | null;
            /** @description Estimated work in minutes. `null` if not estimated. */
            estimate_minutes?: number | string | null;
            /** @description Entry to add to the time log. Cannot be sent together with `spent_minutes`. */
            log?: {
                /** @description Minutes that were spent, up to a day. A negative number takes back minutes of the caller; admins may take back others'. */
                minutes: number | string;
                /** @description What the time was spent on. `null` if not said. */
                note?: string | null;
                /**
                 * Format: date
                 * @description Day on which the time was spent, as `YYYY-MM-DD`. Default: today (UTC). It must have begun somewhere on earth.
                 */
                spent_on?: string;
            };
            /** @description Work that is left, in minutes. `null` goes back to the estimate less the time spent. */
            remaining_minutes?: number | string | null;
            /** @description All work done, in minutes. Cannot be sent together with `log`. */
            spent_minutes?: number | string | null;
            /** @description Estimate in story points. `null` if not estimated. */
            story_points?: number | null;
        };
        TimeTracking: {
            /** @description Minutes that agents have logged. */
            agent_minutes: number;
            /** @description Minutes spent on direct child issues that are not archived; for an epic, on all that belong to it. */
            children_spent_minutes: number;
            /** @description How much of the work is done, in percent. `null` if not set. */
            completion_pct: number | null;
            /** @description The newest 50 entries of the time log. */
            entries: {
                /**
                 * Format: uuid
                 * @description User id of the person or agent who logged the time.
                 */
                author_id: string;
                /**
                 * Format: uuid
                 * @description Identifies the entry for good. A UUIDv7: later ones sort after earlier ones.
                 */
                id: string;
                /** @description Minutes that were spent. A negative number takes time back. */
                minutes: number;
                /** @description What the time was spent on. `null` if not said. */
                note: string | null;
                /** @description Day (UTC) on which the time was spent, as `YYYY-MM-DD`. */
                spent_on: string;
            }[];
            /** @description Estimated work in minutes. `null` if not estimated. */
            estimate_minutes: number | null;
            /** @description The issue that the times belong to, as `KEY-N`. */
            issue_key: string;
            /** @description Work that is left, in minutes: as set and lowered by what was logged since, else the estimate less the time spent. `null` if unknown. */
            remaining_minutes: number | null;
            /** @description Work done in minutes. `null` if none was recorded. */
            spent_minutes: number | null;
            /** @description Estimate in story points. `null` if not estimated. */
            story_points: number | null;
        };
        UploadIntent: {
            /**
             * Format: uuid
             * @description Id that the attachment will have once it is committed.
             */
            attachment_id: string;
            /**
             * Format: date-time
             * @description When the upload has to have begun.
             */
            expires_at: string;
            /** @description Send exactly these headers with the bytes, because the URL's signature covers them. */
            headers: {
                [key: string]: string;
            };
            /**
             * @description Method to send the bytes with.
             * @constant
             */
            method: "PUT";
            /** @description Address on this server that takes the same upload, if `url` cannot be reached. */
            relay_url: string;
            /** @description Name of the upload. Send it when you commit the file. */
            storage_key: string;
            /** @description Address to upload the file's bytes to, with `method` and `headers`. */
            url: string;
        };
        Usage: {
            /** @description The cost of agents in this month. */
            agent_spend: {
                /** @description The monthly caps of all active agents together, in USD. `null` if one has no cap. */
                cap_usd: number | null;
                /** @description The cost of all agents in this month (UTC), in USD. */
                period_usd: number;
            };
            /** @description Whole credits: what the plan grants each month, what was used, and what was bought on top. */
            ai_credits: {
                /** @description Most credits that may be spent in one day. Equals `monthly_grant` if there is no daily limit. */
                daily_limit: number;
                /** @description Credits that may still be spent today (UTC). */
                daily_remaining: number;
                /** @description Credits spent today (UTC). */
                daily_used: number;
                /** @description Credits that the plan includes each month. */
                monthly_grant: number;
                /** @description Credits that are left of the monthly grant. */
                remaining: number;
                /** @description Purchased credits that are not spent yet. They are used after the monthly grant. */
                topup_balance: number;
                /** @description Credits used this month from the monthly grant. */
                used: number;
            };
            /** @description Other limits of the plan. */
            caps: {
                /** @description Use of the limit on live agents. */
                agents: {
                    /** @description Most that the plan allows. `null` if there is no limit. */
                    limit: number | null;
                    /** @description Number in use now. */
                    used: number;
                };
                /** @description Use of the limit on runs of automations in a month. */
                automation_runs: {
                    /** @description Most that the plan allows. `null` if there is no limit. */
                    limit: number | null;
                    /** @description Number in use now. */
                    used: number;
                };
                /** @description Use of the limit on automations. */
                automations: {
                    /** @description Most that the plan allows. `null` if there is no limit. */
                    limit: number | null;
                    /** @description Number in use now. */
                    used: number;
                };
                /** @description Use of the limit on enabled workflows. */
                enabled_workflows: {
                    /** @description Most that the plan allows. `null` if there is no limit. */
                    limit: number | null;
                    /** @description Number in use now. */
                    used: number;
                };
                /** @description Use of the limit on goals. */
                goals: {
                    /** @description Most that the plan allows. `null` if there is no limit. */
                    limit: number | null;
                    /** @description Number in use now. */
                    used: number;
                };
                /** @description Use of the limit on portfolios. */
                portfolios: {
                    /** @description Most that the plan allows. `null` if there is no limit. */
                    limit: number | null;
                    /** @description Number in use now. */
                    used: number;
                };
                /** @description Use of the limit on projects, without archived ones. */
                projects: {
                    /** @description Most that the plan allows. `null` if there is no limit. */
                    limit: number | null;
                    /** @description Number in use now. */
                    used: number;
                };
                /** @description Use of the limit on webhooks. */
                webhooks: {
                    /** @description Most that the plan allows. `null` if there is no limit. */
                    limit: number | null;
                    /** @description Number in use now. */
                    used: number;
                };
            };
            /** @description Use of the limit on guests. */
            guests: {
                /** @description Most that the plan allows. `null` if there is no limit. */
                limit: number | null;
                /** @description Number in use now. */
                used: number;
            };
            /**
             * Format: date-time
             * @description Start of the current month (UTC).
             */
            period_start: string;
            /** @description What the workspace pays for: the plan and how its subscription stands. */
            plan: {
                /**
                 * Format: date-time
                 * @description When the paid period ends. `null` without a subscription.
                 */
                current_period_end: string | null;
                /** @description Billing cycle of the subscription. `null` without a subscription. */
                cycle: string | null;
                /**
                 * @description Decides the limits and which features the workspace has: `plan_limit_reached` and `plan_required` refer to it.
                 * @enum {string}
                 */
                plan: "free" | "pro" | "business";
                /** @description Status of the subscription. `null` on a self-hosted service, which has no subscriptions. */
                status: string | null;
                /** @description `true` while the plan is tried without payment. */
                trialing: boolean;
            };
            /**
             * Format: date-time
             * @description Start of the next month (UTC), when monthly figures begin again.
             */
            resets_at: string;
            /** @description Use of seats, which owners, admins and members take. */
            seats: {
                /** @description Most that the plan allows. `null` if there is no limit. */
                limit: number | null;
                /** @description Number in use now. */
                used: number;
            };
            /** @description Storage for attached files, in bytes. */
            storage: {
                /** @description Bytes that were bought in addition to the plan. */
                addon_bytes: number;
                /** @description Bytes that the plan includes. 9007199254740991 means no limit. */
                base_cap_bytes: number;
                /** @description Bytes that the workspace may use. 9007199254740991 means no limit. */
                cap_bytes: number;
                /** @description Bytes that are left. Never below 0. */
                remaining_bytes: number;
                /** @description Bytes that attachments use, including uploads that are announced but not committed. */
                used_bytes: number;
                /** @description Share of the storage in use, in percent, rounded down. */
                used_pct: number;
            };
        };
        Warning: {
            /** @description What the warning is about, for programs. Codes stay the same; messages may change. */
            code: string;
            /** @description In bulk calls: position of the item in the body, from 0. */
            index?: number;
            /** @description Explanation of what was ignored or should be checked, for people. */
            message: string;
            /** @description JSON pointer to the field or the item in the request's body. */
            path?: string;
        };
        Watcher: {
            /**
             * Format: date-time
             * @description When they began to watch the issue.
             */
            created_at: string;
            /**
             * @description Whether it is a person or an agent.
             * @enum {string}
             */
            kind: "user" | "agent";
            /** @description Display name. `null` until they choose one. */
            name: string | null;
            /**
             * Format: uuid
             * @description User id of the person or agent who watches the issue.
             */
            user_id: string;
        };
        Webhook: {
            /** @description Number of messages in a row that failed. */
            consecutive_failures: number;
            /**
             * Format: date-time
             * @description When the webhook was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who created the webhook.
             */
            created_by: string;
            /** @description What the webhook is for. `null` if not described. */
            description: string | null;
            /**
             * Format: date-time
             * @description When the webhook was disabled. `null` if it is enabled.
             */
            disabled_at: string | null;
            /**
             * @description Why it was disabled: by a user, since the receiver answered 410, or since it failed too long. Else `null`.
             * @enum {string|null}
             */
            disabled_reason: "user" | "gone" | "failing" | "credential_ended" | null;
            /** @description Whether events are sent. */
            enabled: boolean;
            /** @description Events to send: names such as `issue.created`, groups such as `issue.*`, or `*` for all. */
            event_types: components["schemas"]["EventSubscription"][];
            /** @description Headers sent with every message. Values are shown as `***`. */
            headers: {
                [key: string]: string;
            };
            /**
             * Format: uuid
             * @description Identifies the webhook for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the last attempt was made. `null` if none was made.
             */
            last_delivery_at: string | null;
            /** @description HTTP status of the last attempt. 0 if there was no answer; `null` if none was made. */
            last_delivery_status: number | null;
            /**
             * Format: date-time
             * @description When a message was last delivered. `null` if never.
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description Until when the previous secret signs messages, too. Earlier secrets sign until the time that their own rotation answered; at most three sign at a time. `null` if none does.
             */
            previous_secret_expires_at: string | null;
            /** @description Ids of the projects whose events are sent. `null` for all. */
            project_ids: string[] | null;
            /** @description First characters of the signing secret, to recognise it by. */
            secret_prefix: string;
            /**
             * Format: date-time
             * @description When the signing secret was last replaced. `null` if never.
             */
            secret_rotated_at: string | null;
            /**
             * @description State of the webhook. `failing`: attempts fail, and the webhook will be disabled if that goes on.
             * @enum {string}
             */
            status: "active" | "failing" | "disabled";
            /**
             * Format: date-time
             * @description When the webhook was last changed.
             */
            updated_at: string;
            /** @description Address that events are sent to. HTTPS, and reachable from the internet. */
            url: string;
        };
        WebhookCreateInput: {
            /** @description What the webhook is for. `null` if not described. */
            description?: string | null;
            /** @description Whether events are sent. Default: `true`. */
            enabled?: boolean;
            /** @description Events to send: names such as `issue.created`, groups such as `issue.*`, or `*` for all. */
            event_types: components["schemas"]["EventSubscription"][];
            /** @description Headers to send with every message, at most 10. The value `***` keeps the header's present value. */
            headers?: {
                [key: string]: string;
            };
            /** @description Projects whose events are sent, by id, key or slug. `null` for all. */
            project_ids?: string[] | null;
            /**
             * Format: uri
             * @description Address that events are sent to. HTTPS, and reachable from the internet.
             */
            url: string;
        };
        WebhookData: {
            "agent_session.created": components["schemas"]["AgentSession"];
            "agent_session.state_changed": components["schemas"]["AgentSession"];
            "agent_session.updated": components["schemas"]["AgentSession"];
            "agent.connected": components["schemas"]["AgentDetail"];
            "agent.revoked": components["schemas"]["AgentDetail"];
            "agent.spend_cap_reached": components["schemas"]["AgentDetail"];
            "agent.spend_warning": components["schemas"]["AgentDetail"];
            "agent.updated": components["schemas"]["AgentDetail"];
            "api_key.created": components["schemas"]["ApiKey"];
            "api_key.revoked": components["schemas"]["ApiKey"];
            "automation_run.failed": components["schemas"]["AutomationRun"];
            "automation.created": components["schemas"]["Automation"];
            "automation.deleted": components["schemas"]["Automation"];
            "automation.disabled": components["schemas"]["Automation"];
            "automation.fired": components["schemas"]["AutomationFired"];
            "automation.updated": components["schemas"]["Automation"];
            "chat.message.created": components["schemas"]["ChatMessage"];
            "chat.message.deleted": components["schemas"]["ChatMessage"];
            "chat.message.updated": components["schemas"]["ChatMessage"];
            "comment.created": components["schemas"]["Comment"];
            "comment.deleted": components["schemas"]["Comment"];
            "comment.updated": components["schemas"]["Comment"];
            "credits.charge_refunded": components["schemas"]["CreditsChargeRefunded"];
            "credits.low": components["schemas"]["CreditsLow"];
            "credits.purchased": components["schemas"]["CreditsPurchased"];
            "custom_field.created": components["schemas"]["CustomFieldDef"];
            "custom_field.deleted": components["schemas"]["CustomFieldDef"];
            "custom_field.updated": components["schemas"]["CustomFieldDef"];
            "doc.archived": components["schemas"]["Doc"];
            "doc.comment.created": components["schemas"]["DocComment"];
            "doc.comment.deleted": components["schemas"]["DocComment"];
            "doc.comment.updated": components["schemas"]["DocComment"];
            "doc.created": components["schemas"]["Doc"];
            "doc.restored": components["schemas"]["Doc"];
            "doc.updated": components["schemas"]["Doc"];
            "form.created": components["schemas"]["Form"];
            "form.deleted": components["schemas"]["Form"];
            "form.submitted": components["schemas"]["FormSubmission"];
            "form.updated": components["schemas"]["Form"];
            "goal.created": components["schemas"]["Goal"];
            "goal.deleted": components["schemas"]["Goal"];
            "goal.status_changed": components["schemas"]["Goal"];
            "goal.updated": components["schemas"]["Goal"];
            "invite.accepted": components["schemas"]["Invite"];
            "invite.created": components["schemas"]["Invite"];
            "invite.revoked": components["schemas"]["Invite"];
            "issue.archived": components["schemas"]["Issue"];
            "issue.assigned": components["schemas"]["Issue"];
            "issue.attachment.created": components["schemas"]["Attachment"];
            "issue.attachment.deleted": components["schemas"]["Attachment"];
            "issue.created": components["schemas"]["Issue"];
            "issue.link.created": components["schemas"]["IssueLink"];
            "issue.link.deleted": components["schemas"]["IssueLink"];
            "issue.priority_changed": components["schemas"]["Issue"];
            "issue.restored": components["schemas"]["Issue"];
            "issue.status_changed": components["schemas"]["Issue"];
            "issue.unassigned": components["schemas"]["Issue"];
            "issue.updated": components["schemas"]["Issue"];
            "key_result.created": components["schemas"]["KeyResult"];
            "key_result.deleted": components["schemas"]["KeyResult"];
            "key_result.updated": components["schemas"]["KeyResult"];
            "label.created": components["schemas"]["Label"];
            "label.deleted": components["schemas"]["Label"];
            "label.updated": components["schemas"]["Label"];
            "member.added": components["schemas"]["Member"];
            "member.removed": components["schemas"]["Member"];
            "member.role_changed": components["schemas"]["Member"];
            "milestone.completed": components["schemas"]["Milestone"];
            "milestone.created": components["schemas"]["Milestone"];
            "milestone.deleted": components["schemas"]["Milestone"];
            "milestone.updated": components["schemas"]["Milestone"];
            "portfolio.created": components["schemas"]["Portfolio"];
            "portfolio.deleted": components["schemas"]["Portfolio"];
            "portfolio.updated": components["schemas"]["Portfolio"];
            "project.archived": components["schemas"]["Project"];
            "project.created": components["schemas"]["Project"];
            "project.member.added": components["schemas"]["ProjectMember"];
            "project.member.removed": components["schemas"]["ProjectMember"];
            "project.member.role_changed": components["schemas"]["ProjectMember"];
            "project.restored": components["schemas"]["Project"];
            "project.updated": components["schemas"]["Project"];
            "release.created": components["schemas"]["Release"];
            "release.deleted": components["schemas"]["Release"];
            "release.released": components["schemas"]["Release"];
            "release.updated": components["schemas"]["Release"];
            "sprint.completed": components["schemas"]["Sprint"];
            "sprint.created": components["schemas"]["Sprint"];
            "sprint.deleted": components["schemas"]["Sprint"];
            "sprint.started": components["schemas"]["Sprint"];
            "sprint.updated": components["schemas"]["Sprint"];
            "status.created": components["schemas"]["ProjectStatus"];
            "status.deleted": components["schemas"]["ProjectStatus"];
            "status.updated": components["schemas"]["ProjectStatus"];
            "webhook.disabled": components["schemas"]["DisabledWebhook"];
            "webhook.test": components["schemas"]["WebhookTest"];
            "workflow_run.cancelled": components["schemas"]["WorkflowRunDetail"];
            "workflow_run.completed": components["schemas"]["WorkflowRunDetail"];
            "workflow_run.failed": components["schemas"]["WorkflowRunDetail"];
            "workflow_run.stage_changed": components["schemas"]["WorkflowRunDetail"];
            "workflow_run.started": components["schemas"]["WorkflowRunDetail"];
            "workflow.deleted": components["schemas"]["Workflow"];
            "workflow.disabled": components["schemas"]["Workflow"];
            "workflow.enabled": components["schemas"]["Workflow"];
            "workspace.updated": components["schemas"]["Workspace"];
        };
        WebhookDelivery: {
            /** @description How often the message has been tried, this attempt included. */
            attempt: number;
            /**
             * @description Why both bodies are `null` for the caller: the key lacks the `scope` of the event, is limited to other projects (`project`), or the object is `private` to others. `null` if nothing is hidden.
             * @enum {string|null}
             */
            body_hidden: "scope" | "project" | "private" | null;
            /**
             * Format: uuid
             * @description Id of the message: the same for all its attempts, and sent as the `webhook-id` header.
             */
            delivery_id: string;
            /** @description Why the attempt failed. Empty if it did not. */
            error: string;
            /** @description What happened, as named in the event catalogue. */
            event_type: string;
            /** @description 1 if no further attempt follows, else 0. */
            final: number;
            /**
             * Format: uuid
             * @description Identifies the attempt for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description Time until the answer, in milliseconds. */
            latency_ms: number;
            /**
             * Format: date-time
             * @description When the message is due to be sent next. `null` if it will not be sent again, or is being sent.
             */
            next_attempt_at: string | null;
            /** @description First 16 KiB of the body that was sent. `null` before. */
            request_body: string | null;
            /** @description Headers that were sent. Values of the webhook's own headers are masked. `null` before. */
            request_headers: {
                [key: string]: string;
            } | null;
            /** @description First 4 KiB of the answer's body. `null` if there was no answer. */
            response_body: string | null;
            /**
             * @description How far the message is: waiting for its next attempt, delivered, given up, or skipped because the webhook was disabled.
             * @enum {string}
             */
            state: "pending" | "delivering" | "retrying" | "succeeded" | "failed" | "skipped";
            /** @description HTTP status of the answer. 0 if there was none, or the attempt was not made yet. */
            status: number;
            /**
             * Format: date-time
             * @description When the attempt was recorded.
             */
            ts: string;
        };
        WebhookMessage: {
            /** @description Who did it. */
            actor: {
                /**
                 * Format: uuid
                 * @description Id of the person or agent. `null` if it was neither.
                 */
                id: string | null;
                /**
                 * @description What kind of actor it was.
                 * @enum {string}
                 */
                kind: "user" | "agent" | "automation" | "workflow" | "form" | "integration" | "system";
                /** @description What people see as the actor's name, as it was then. `null` if it has none. */
                name: string | null;
            };
            /** @description What it was done through. */
            cause: {
                /**
                 * Format: uuid
                 * @description The session in which an agent made the change. `null` if it was not made in one.
                 */
                agent_session_id: string | null;
                /**
                 * Format: uuid
                 * @description The automation that made the change. `null` if none did.
                 */
                automation_id: string | null;
                /**
                 * Format: uuid
                 * @description The workflow run that made the change. `null` if none did.
                 */
                workflow_run_id: string | null;
            };
            /** @description Names of the changed fields. Only for changes. */
            changed?: string[];
            /** @description The object, as GET answered it at that moment. Of a deleted object its last state. */
            data: unknown;
            /**
             * Format: uuid
             * @description Id of the event. It is the same on every attempt, and in the `webhook-id` header.
             */
            id: string;
            /** @description Old values of the changed fields. Only for changes. */
            previous?: {
                [key: string]: unknown;
            };
            /** @description Number that grows with every event of the workspace. `null` for `webhook.test`. */
            sequence: number | null;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description The message would be larger than 256 KiB, so long texts are cut, or `data` has nothing but its `id`. Else absent.
             * @constant
             */
            truncated?: true;
            /** @description Name of the event. Ignore names that you do not know: new ones are added. */
            type: string;
            /** @description Where it happened. A receiver for several workspaces tells them apart by it. */
            workspace: {
                /**
                 * Format: uuid
                 * @description Identifies the workspace, also when its slug changes.
                 */
                id: string;
                /** @description Names the workspace in the paths of calls, as of now. */
                slug: string;
            };
        };
        WebhookPatchInput: {
            /** @description What the webhook is for. `null` if not described. */
            description?: string | null;
            /** @description Whether events are sent. */
            enabled?: boolean;
            /** @description Events to send: names such as `issue.created`, groups such as `issue.*`, or `*` for all. */
            event_types?: components["schemas"]["EventSubscription"][];
            /** @description Headers to send with every message, at most 10. The value `***` keeps the header's present value. */
            headers?: {
                [key: string]: string;
            } | null;
            /** @description Projects whose events are sent, by id, key or slug. `null` for all. */
            project_ids?: string[] | null;
            /**
             * Format: uri
             * @description Address that events are sent to. HTTPS, and reachable from the internet.
             */
            url?: string;
        };
        WebhookReplay: {
            /** @description Whether `since` was moved to the time from which messages are kept: the plan's `delivery_history_days`. */
            clamped: boolean;
            /** @description Number of messages that will be sent again. `null` if there are too many to count at once; they are sent all the same. */
            queued: number | null;
            /**
             * Format: date-time
             * @description From which time on messages are sent again.
             */
            since: string;
            /**
             * Format: date-time
             * @description End of the replayed time, exclusive: when the call arrived.
             */
            until: string;
        };
        WebhookReplayInput: {
            /** @description Only messages of these events: names, groups such as `issue.*`, or `*`. All if absent. */
            event_types?: components["schemas"]["EventSubscription"][];
            /** @description Only messages of events from this time on. */
            since: string;
            /** @description Only messages whose newest attempt has one of these states. Default: `["failed","skipped"]`. */
            states?: ("failed" | "skipped" | "succeeded")[];
            /** @description Only messages of events before this time. `null` for now. */
            until?: string | null;
        };
        WebhookRotateSecretInput: {
            /** @description Seconds for which the old secret signs messages, too. 0 ends it at once. Default: `86400`. */
            grace_seconds?: number;
        };
        WebhookTest: {
            /** @description Text for people. */
            message: string;
            /**
             * Format: uuid
             * @description The webhook that gets the messages.
             */
            webhook_id: string;
        };
        WebhookWithSecret: {
            /** @description Number of messages in a row that failed. */
            consecutive_failures: number;
            /**
             * Format: date-time
             * @description When the webhook was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who created the webhook.
             */
            created_by: string;
            /** @description What the webhook is for. `null` if not described. */
            description: string | null;
            /**
             * Format: date-time
             * @description When the webhook was disabled. `null` if it is enabled.
             */
            disabled_at: string | null;
            /**
             * @description Why it was disabled: by a user, since the receiver answered 410, or since it failed too long. Else `null`.
             * @enum {string|null}
             */
            disabled_reason: "user" | "gone" | "failing" | "credential_ended" | null;
            /** @description Whether events are sent. */
            enabled: boolean;
            /** @description Events to send: names such as `issue.created`, groups such as `issue.*`, or `*` for all. */
            event_types: components["schemas"]["EventSubscription"][];
            /** @description Headers sent with every message. Values are shown as `***`. */
            headers: {
                [key: string]: string;
            };
            /**
             * Format: uuid
             * @description Identifies the webhook for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the last attempt was made. `null` if none was made.
             */
            last_delivery_at: string | null;
            /** @description HTTP status of the last attempt. 0 if there was no answer; `null` if none was made. */
            last_delivery_status: number | null;
            /**
             * Format: date-time
             * @description When a message was last delivered. `null` if never.
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description Until when the previous secret signs messages, too. Earlier secrets sign until the time that their own rotation answered; at most three sign at a time. `null` if none does.
             */
            previous_secret_expires_at: string | null;
            /** @description Ids of the projects whose events are sent. `null` for all. */
            project_ids: string[] | null;
            /** @description Secret that messages are signed with. It is shown only in this reply; keep it safe. */
            secret: string;
            /** @description First characters of the signing secret, to recognise it by. */
            secret_prefix: string;
            /**
             * Format: date-time
             * @description When the signing secret was last replaced. `null` if never.
             */
            secret_rotated_at: string | null;
            /**
             * @description State of the webhook. `failing`: attempts fail, and the webhook will be disabled if that goes on.
             * @enum {string}
             */
            status: "active" | "failing" | "disabled";
            /**
             * Format: date-time
             * @description When the webhook was last changed.
             */
            updated_at: string;
            /** @description Address that events are sent to. HTTPS, and reachable from the internet. */
            url: string;
        };
        Workflow: {
            /**
             * Format: date-time
             * @description When the workflow was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who created the workflow. Its actions have their rights. If they are no admin any more, whoever enables the workflow takes their place.
             */
            created_by: string;
            /** @description What the workflow is for. `null` if there is no description. */
            description: string | null;
            /**
             * @description `plan` if the workflow was disabled because the plan allows fewer. Otherwise `null`.
             * @enum {string|null}
             */
            disabled_reason: "plan" | "credential_ended" | null;
            /**
             * Format: uuid
             * @description Identifies the workflow for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description Number of open runs of issues that you can see. */
            in_flight_runs: number;
            /** @description What people see as the workflow's name. It need not be unique. */
            name: string;
            /** @description What kept the workflow from being enabled when it was last changed, at most 100 entries. */
            problems: {
                /**
                 * @description What is wrong.
                 * @enum {string}
                 */
                code: "duplicate_node" | "unknown_node" | "self_edge" | "duplicate_edge" | "cycle" | "no_start" | "many_starts" | "unreachable" | "missing_branch" | "bad_branch" | "bad_config" | "too_large";
                /** @description The edge with the problem. `null` if it is not about one. */
                edge_id: string | null;
                /** @description What is wrong, and what to do. */
                message: string;
                /** @description The node with the problem. `null` if it is not about one. */
                node_id: string | null;
                /** @description JSON pointer into the graph. */
                path: string;
            }[];
            /**
             * Format: uuid
             * @description Project whose issues may go through the workflow. `null`: all projects.
             */
            project_id: string | null;
            /**
             * @description Whether runs can start. A new workflow is a draft.
             * @enum {string}
             */
            status: "draft" | "enabled";
            /**
             * Format: date-time
             * @description When the workflow was last changed.
             */
            updated_at: string;
            /** @description Whether the workflow could be enabled when it was last changed. Enabling it checks again. */
            valid: boolean;
            /** @description Version of the graph. Each change of the graph adds one; runs keep theirs. */
            version: number;
        };
        WorkflowAdvanceInput: {
            /** @description Ids of the active stages to skip. Without it, all active stages. If one of them is not active any more, the reply is 409 `no_active_stage`, which names the active ones. With an empty list, the call only reopens a failed run. */
            node_ids?: string[];
        };
        WorkflowCancelled: {
            /**
             * @description Always `true`.
             * @constant
             */
            cancelled: true;
            /** @description The issue that the run is about, as `KEY-N`. */
            issue_key: string;
            /**
             * Format: uuid
             * @description Identifies the run that was cancelled for good. A UUIDv7: later ones sort after earlier ones.
             */
            run_id: string;
        };
        WorkflowCompleteStageInput: {
            /** @description Id of the node to complete. Without it, all active stages that the caller may complete. */
            node_id?: string;
            /** @description A note about the result, in Markdown. */
            note_md?: string;
            /**
             * @description People and agents complete their stages with `success` or `failure`, approvers with `approved` or `rejected`. Without it, `success` or `approved`.
             * @enum {string}
             */
            outcome?: "success" | "failure" | "approved" | "rejected";
            /** @description Any JSON object of at most 16 KiB, and 128 KiB for all stages of a run. The run shows it exactly as sent. */
            output?: {
                [key: string]: unknown;
            };
        };
        WorkflowCreateInput: {
            /** @description What the workflow is for. `null` if there is no description. Default: `null`. */
            description?: string | null;
            /** @description All edges of the graph, at most 400. They must not form a cycle. Default: `[]`. */
            edges?: components["schemas"]["WorkflowEdgeInput"][];
            /** @description What people see as the workflow's name. It need not be unique. */
            name: string;
            /** @description All nodes of the graph, at most 200. */
            nodes?: components["schemas"]["WorkflowNodeInput"][];
            /** @description Project whose issues may go through the workflow: id, key or slug. `null`: all projects. */
            project_id?: string | null;
        };
        WorkflowDetail: {
            /**
             * Format: date-time
             * @description When the workflow was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who created the workflow. Its actions have their rights. If they are no admin any more, whoever enables the workflow takes their place.
             */
            created_by: string;
            /** @description What the workflow is for. `null` if there is no description. */
            description: string | null;
            /**
             * @description `plan` if the workflow was disabled because the plan allows fewer. Otherwise `null`.
             * @enum {string|null}
             */
            disabled_reason: "plan" | "credential_ended" | null;
            /** @description All edges of the graph, at most 400. They must not form a cycle. */
            edges: components["schemas"]["WorkflowEdge"][];
            /**
             * Format: uuid
             * @description Identifies the workflow for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description Number of open runs of issues that you can see. */
            in_flight_runs: number;
            /** @description What people see as the workflow's name. It need not be unique. */
            name: string;
            /** @description All nodes of the graph, at most 200. */
            nodes: components["schemas"]["WorkflowNode"][];
            /** @description What kept the workflow from being enabled when it was last changed, at most 100 entries. */
            problems: {
                /**
                 * @description What is wrong.
                 * @enum {string}
                 */
                code: "duplicate_node" | "unknown_node" | "self_edge" | "duplicate_edge" | "cycle" | "no_start" | "many_starts" | "unreachable" | "missing_branch" | "bad_branch" | "bad_config" | "too_large";
                /** @description The edge with the problem. `null` if it is not about one. */
                edge_id: string | null;
                /** @description What is wrong, and what to do. */
                message: string;
                /** @description The node with the problem. `null` if it is not about one. */
                node_id: string | null;
                /** @description JSON pointer into the graph. */
                path: string;
            }[];
            /**
             * Format: uuid
             * @description Project whose issues may go through the workflow. `null`: all projects.
             */
            project_id: string | null;
            /**
             * @description Whether runs can start. A new workflow is a draft.
             * @enum {string}
             */
            status: "draft" | "enabled";
            /**
             * Format: date-time
             * @description When the workflow was last changed.
             */
            updated_at: string;
            /** @description Whether the workflow could be enabled when it was last changed. Enabling it checks again. */
            valid: boolean;
            /** @description Version of the graph. Each change of the graph adds one; runs keep theirs. */
            version: number;
        };
        WorkflowEdge: {
            /** @description Outcome after which the edge is followed: `true`, `false`, `approved`, `rejected`, `success`, `failure`, `timeout` or `always`. `null` and other texts: after a good outcome. */
            branch_label: string | null;
            /** @description Id of the edge, unique in the graph. */
            id: string;
            /** @description Id of the node where the edge begins. */
            source_node_id: string;
            /** @description Id of the node to which the edge leads. */
            target_node_id: string;
        };
        WorkflowEdgeInput: {
            /** @description Outcome after which the edge is followed: `true`, `false`, `approved`, `rejected`, `success`, `failure`, `timeout` or `always`. `null` and other texts: after a good outcome. Default: `null`. */
            branch_label?: string | null;
            /** @description Id of the edge, unique in the graph. */
            id: string;
            /** @description Id of the node where the edge begins. */
            source_node_id: string;
            /** @description Id of the node to which the edge leads. */
            target_node_id: string;
        };
        WorkflowGraphInput: {
            /** @description All edges of the graph, at most 400. They must not form a cycle. */
            edges: components["schemas"]["WorkflowEdgeInput"][];
            /** @description Version that you have read. Another current version is answered with 409. */
            if_version?: number;
            /** @description All nodes of the graph, at most 200. */
            nodes: components["schemas"]["WorkflowNodeInput"][];
        };
        WorkflowNode: {
            /**
             * Format: uuid
             * @description User id of the agent or person who works on the stage. `null`: as `config` says, else the issue's assignee.
             */
            assignee_user_id: string | null;
            /** @description Settings of the node. Each kind has its own fields. */
            config: {
                [key: string]: unknown;
            };
            /** @description Id of the node, unique in the graph. It is kept as given. */
            id: string;
            /**
             * @description Decides what the node does and which keys its `config` takes.
             * @enum {string}
             */
            kind: "start" | "agent" | "person" | "condition" | "parallel" | "end" | "approval" | "action" | "wait";
            /** @description Text that people see on the node. `null` if there is none. */
            label: string | null;
            /** @description Horizontal position in an editor. */
            pos_x: number;
            /** @description Vertical position in an editor. */
            pos_y: number;
        };
        WorkflowNodeInput: {
            /** @description User id of the agent or person who works on the stage. `null`: as `config` says, else the issue's assignee. */
            assignee_user_id?: string | null;
            /** @description Settings of the node. Each kind has its own fields. Default: `{}`. */
            config?: Record<string, never>;
            /** @description Id of the node, unique in the graph. It is kept as given. */
            id: string;
            /**
             * @description Decides what the node does and which keys its `config` takes.
             * @constant
             */
            kind: "start";
            /** @description Text that people see on the node. `null` if there is none. Default: `null`. */
            label?: string | null;
            /** @description Horizontal position in an editor. Default: `0`. */
            pos_x?: number;
            /** @description Vertical position in an editor. Default: `0`. */
            pos_y?: number;
        } | {
            /** @description User id of the agent or person who works on the stage. `null`: as `config` says, else the issue's assignee. */
            assignee_user_id?: string | null;
            /** @description Settings of the node. Each kind has its own fields. Default: `{"timeout_minutes":1440,"assign":true}`. */
            config?: {
                /** @description Whether whoever works on the stage is an assignee of the issue meanwhile. Default: `true`. */
                assign?: boolean;
                /** @description What is to be done, as Markdown. */
                instructions?: string | null;
                /** @description What the agent may spend on the stage, in US dollars. When the costs that it reports reach this, the stage fails. `null`: no limit of its own. */
                spend_cap_usd?: number | null;
                /** @description Minutes after which the stage ends with the outcome `timeout`. `null` or left out: never; for agents 1440. Default: `1440`. */
                timeout_minutes?: number;
                /** @description What is to be done, in a few words. */
                title?: string | null;
            };
            /** @description Id of the node, unique in the graph. It is kept as given. */
            id: string;
            /**
             * @description Decides what the node does and which keys its `config` takes.
             * @constant
             */
            kind: "agent";
            /** @description Text that people see on the node. `null` if there is none. Default: `null`. */
            label?: string | null;
            /** @description Horizontal position in an editor. Default: `0`. */
            pos_x?: number;
            /** @description Vertical position in an editor. Default: `0`. */
            pos_y?: number;
        } | {
            /** @description User id of the agent or person who works on the stage. `null`: as `config` says, else the issue's assignee. */
            assignee_user_id?: string | null;
            /** @description Settings of the node. Each kind has its own fields. Default: `{"assign":true}`. */
            config?: {
                /** @description Whether whoever works on the stage is an assignee of the issue meanwhile. Default: `true`. */
                assign?: boolean;
                /** @description Hours in which the stage is to be done. It stays open afterwards. */
                due_in_hours?: number | null;
                /** @description What is to be done, as Markdown. */
                instructions?: string | null;
                /**
                 * @description If `assignee_user_id` is `null`: anyone with at least this role may complete the stage.
                 * @enum {string|null}
                 */
                role?: "owner" | "admin" | "member" | "viewer" | "guest" | null;
                /** @description Minutes after which the stage ends with the outcome `timeout`. `null` or left out: never; for agents 1440. */
                timeout_minutes?: number | null;
                /** @description What is to be done, in a few words. */
                title?: string | null;
            };
            /** @description Id of the node, unique in the graph. It is kept as given. */
            id: string;
            /**
             * @description Decides what the node does and which keys its `config` takes.
             * @constant
             */
            kind: "person";
            /** @description Text that people see on the node. `null` if there is none. Default: `null`. */
            label?: string | null;
            /** @description Horizontal position in an editor. Default: `0`. */
            pos_x?: number;
            /** @description Vertical position in an editor. Default: `0`. */
            pos_y?: number;
        } | {
            /** @description User id of the agent or person who works on the stage. `null`: as `config` says, else the issue's assignee. */
            assignee_user_id?: string | null;
            /** @description Settings of the node. Each kind has its own fields. */
            config?: {
                /**
                 * @description Whether all rules must apply, or any of them. Default: `all`.
                 * @enum {string}
                 */
                match?: "all" | "any";
                /** @description Rules, or further groups of rules. An empty list always applies. Default: `[]`. */
                rules?: {
                    /** @description A field of the issue, `actor_kind` or `actor_id` (who made the change), `from_status` or `to_status`, or `custom_field:` with the field's id. */
                    field?: string;
                    /**
                     * @description Whether all rules must apply, or any of them.
                     * @enum {string}
                     */
                    match?: "all" | "any";
                    /**
                     * @description How the field is compared. `changed` applies if the event changed the field.
                     * @enum {string}
                     */
                    op?: "is" | "is_not" | "is_one_of" | "is_not_one_of" | "contains" | "not_contains" | "gt" | "gte" | "lt" | "lte" | "is_set" | "is_empty" | "changed";
                    /** @description Rules, or further groups of rules. An empty list always applies. */
                    rules?: {
                        /** @description A field of the issue, `actor_kind` or `actor_id` (who made the change), `from_status` or `to_status`, or `custom_field:` with the field's id. */
                        field?: string;
                        /**
                         * @description Whether all rules must apply, or any of them.
                         * @enum {string}
                         */
                        match?: "all" | "any";
                        /**
                         * @description How the field is compared. `changed` applies if the event changed the field.
                         * @enum {string}
                         */
                        op?: "is" | "is_not" | "is_one_of" | "is_not_one_of" | "contains" | "not_contains" | "gt" | "gte" | "lt" | "lte" | "is_set" | "is_empty" | "changed";
                        /** @description Rules, or further groups of rules. An empty list always applies. */
                        rules?: {
                            /** @description A field of the issue, `actor_kind` or `actor_id` (who made the change), `from_status` or `to_status`, or `custom_field:` with the field's id. */
                            field?: string;
                            /**
                             * @description How the field is compared. `changed` applies if the event changed the field.
                             * @enum {string}
                             */
                            op?: "is" | "is_not" | "is_one_of" | "is_not_one_of" | "contains" | "not_contains" | "gt" | "gte" | "lt" | "lte" | "is_set" | "is_empty" | "changed";
                            /** @description What the field is compared with: ids, keys or names; numbers; dates. A list for `is_one_of` and `is_not_one_of`; left out for `is_set`, `is_empty` and `changed`. */
                            value?: (string | number | boolean) | (string | number)[];
                        }[];
                        /** @description What the field is compared with: ids, keys or names; numbers; dates. A list for `is_one_of` and `is_not_one_of`; left out for `is_set`, `is_empty` and `changed`. */
                        value?: (string | number | boolean) | (string | number)[];
                    }[];
                    /** @description What the field is compared with: ids, keys or names; numbers; dates. A list for `is_one_of` and `is_not_one_of`; left out for `is_set`, `is_empty` and `changed`. */
                    value?: (string | number | boolean) | (string | number)[];
                }[];
            };
            /** @description Id of the node, unique in the graph. It is kept as given. */
            id: string;
            /**
             * @description Decides what the node does and which keys its `config` takes.
             * @constant
             */
            kind: "condition";
            /** @description Text that people see on the node. `null` if there is none. Default: `null`. */
            label?: string | null;
            /** @description Horizontal position in an editor. Default: `0`. */
            pos_x?: number;
            /** @description Vertical position in an editor. Default: `0`. */
            pos_y?: number;
        } | {
            /** @description User id of the agent or person who works on the stage. `null`: as `config` says, else the issue's assignee. */
            assignee_user_id?: string | null;
            /** @description Settings of the node. Each kind has its own fields. Default: `{"join":"all"}`. */
            config?: {
                /**
                 * @description Whether the node waits for every branch that leads to it, or for the first one. Default: `all`.
                 * @enum {string}
                 */
                join?: "all" | "any";
            };
            /** @description Id of the node, unique in the graph. It is kept as given. */
            id: string;
            /**
             * @description Decides what the node does and which keys its `config` takes.
             * @constant
             */
            kind: "parallel";
            /** @description Text that people see on the node. `null` if there is none. Default: `null`. */
            label?: string | null;
            /** @description Horizontal position in an editor. Default: `0`. */
            pos_x?: number;
            /** @description Vertical position in an editor. Default: `0`. */
            pos_y?: number;
        } | {
            /** @description User id of the agent or person who works on the stage. `null`: as `config` says, else the issue's assignee. */
            assignee_user_id?: string | null;
            /** @description Settings of the node. Each kind has its own fields. Default: `{"result":"completed"}`. */
            config?: {
                /**
                 * @description How the run ends here. Default: `completed`.
                 * @enum {string}
                 */
                result?: "completed" | "failed";
                /** @description Status that the issue gets here: category, or id or name of a status. */
                set_status?: string | null;
            };
            /** @description Id of the node, unique in the graph. It is kept as given. */
            id: string;
            /**
             * @description Decides what the node does and which keys its `config` takes.
             * @constant
             */
            kind: "end";
            /** @description Text that people see on the node. `null` if there is none. Default: `null`. */
            label?: string | null;
            /** @description Horizontal position in an editor. Default: `0`. */
            pos_x?: number;
            /** @description Vertical position in an editor. Default: `0`. */
            pos_y?: number;
        } | {
            /** @description User id of the agent or person who works on the stage. `null`: as `config` says, else the issue's assignee. */
            assignee_user_id?: string | null;
            /** @description Settings of the node. Each kind has its own fields. */
            config?: {
                /** @description Whether those who started the run or completed the stage before may approve. Default: `false`. */
                allow_self?: boolean;
                /** @description User ids of those who may approve. Agents may only if they are named here. */
                approver_ids?: string[] | null;
                /**
                 * @description Whoever has at least this role may approve. Send this or `approver_ids`.
                 * @enum {string|null}
                 */
                approver_role?: "owner" | "admin" | "member" | "viewer" | "guest" | null;
                /**
                 * @description What a time-out counts as. Default: `reject`.
                 * @enum {string}
                 */
                on_timeout?: "reject" | "approve" | "fail";
                /** @description Number of approvals that are needed. One rejection is enough to reject. Default: `1`. */
                required?: number;
                /** @description Minutes after which the stage ends with the outcome `timeout`. `null` or left out: never; for agents 1440. */
                timeout_minutes?: number | null;
            };
            /** @description Id of the node, unique in the graph. It is kept as given. */
            id: string;
            /**
             * @description Decides what the node does and which keys its `config` takes.
             * @constant
             */
            kind: "approval";
            /** @description Text that people see on the node. `null` if there is none. Default: `null`. */
            label?: string | null;
            /** @description Horizontal position in an editor. Default: `0`. */
            pos_x?: number;
            /** @description Vertical position in an editor. Default: `0`. */
            pos_y?: number;
        } | {
            /** @description User id of the agent or person who works on the stage. `null`: as `config` says, else the issue's assignee. */
            assignee_user_id?: string | null;
            /** @description Settings of the node. Each kind has its own fields. */
            config?: {
                /** @description What is done, in this order. The same actions as those of automations. */
                actions?: components["schemas"]["ActionInput"][];
                /** @description How often an action is tried again after a fault. Default: `2`. */
                retries?: number;
            };
            /** @description Id of the node, unique in the graph. It is kept as given. */
            id: string;
            /**
             * @description Decides what the node does and which keys its `config` takes.
             * @constant
             */
            kind: "action";
            /** @description Text that people see on the node. `null` if there is none. Default: `null`. */
            label?: string | null;
            /** @description Horizontal position in an editor. Default: `0`. */
            pos_x?: number;
            /** @description Vertical position in an editor. Default: `0`. */
            pos_y?: number;
        } | {
            /** @description User id of the agent or person who works on the stage. `null`: as `config` says, else the issue's assignee. */
            assignee_user_id?: string | null;
            /** @description Settings of the node. Each kind has its own fields. Default: `{}`. */
            config?: {
                /** @description The run goes on when this event happens to its issue. */
                event?: {
                    /** @description What has to happen, as named in the event catalogue. */
                    type: string;
                } | null;
                /** @description Minutes to wait. Send one of `minutes`, `until_field` and `event`. */
                minutes?: number | null;
                /** @description Minutes after which the stage ends with the outcome `timeout`. `null` or left out: never; for agents 1440. */
                timeout_minutes?: number | null;
                /** @description Field of the issue with the time to wait for: `start_at`, `due_at` or `custom_field:` and its id. */
                until_field?: string | null;
            };
            /** @description Id of the node, unique in the graph. It is kept as given. */
            id: string;
            /**
             * @description Decides what the node does and which keys its `config` takes.
             * @constant
             */
            kind: "wait";
            /** @description Text that people see on the node. `null` if there is none. Default: `null`. */
            label?: string | null;
            /** @description Horizontal position in an editor. Default: `0`. */
            pos_x?: number;
            /** @description Vertical position in an editor. Default: `0`. */
            pos_y?: number;
        };
        WorkflowPatchInput: {
            /** @description What the workflow is for. `null` if there is no description. */
            description?: string | null;
            /** @description Another way to say `status`: `true` for `enabled`, `false` for `draft`. */
            enabled?: boolean;
            /** @description What people see as the workflow's name. It need not be unique. */
            name?: string;
            /** @description Project whose issues may go through the workflow: id, key or slug. `null`: all projects. */
            project_id?: string | null;
            /**
             * @description `enabled` lets runs start, `draft` stops new ones.
             * @enum {string}
             */
            status?: "draft" | "enabled";
        };
        WorkflowRun: {
            /** @description What the run waits for, or how it ended, in one line. */
            current_summary: string | null;
            /**
             * Format: date-time
             * @description When the run ended. `null` while it runs.
             */
            ended_at: string | null;
            /**
             * Format: uuid
             * @description Identifies the run for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the issue that the run is about.
             */
            issue_id: string;
            /** @description The issue that the run is about, as `KEY-N`. */
            issue_key: string;
            /**
             * Format: date-time
             * @description When the first stage became active.
             */
            started_at: string;
            /**
             * Format: uuid
             * @description The person, agent or key's owner who started the run, who may not approve its stages. `null` if an event started it.
             */
            started_by: string;
            /**
             * @description `running` until the run has ended.
             * @enum {string}
             */
            status: "running" | "completed" | "failed" | "cancelled";
            /** @description Whether all active stages wait for people, approvals, times or events. */
            waiting: boolean;
            /**
             * Format: uuid
             * @description The workflow that runs. The run keeps the version of the graph that it started with.
             */
            workflow_id: string;
            /** @description Version of the workflow that the run follows. Later versions do not change it. */
            workflow_version: number;
        };
        WorkflowRunDetail: {
            /** @description What was sent at the start. */
            context: {
                [key: string]: unknown;
            };
            /** @description What the run waits for, or how it ended, in one line. */
            current_summary: string | null;
            /**
             * Format: date-time
             * @description When the run ended. `null` while it runs.
             */
            ended_at: string | null;
            /** @description Why the run failed, or why its end could not move the issue. `null` if all went well. */
            error: string | null;
            /**
             * Format: uuid
             * @description Identifies the run for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the issue that the run is about.
             */
            issue_id: string;
            /** @description The issue that the run is about, as `KEY-N`. */
            issue_key: string;
            /** @description The state of each node. */
            nodes: {
                /** @description What each action did on each issue: the first 49, and the newest. `null` if the node has none, or has not begun. */
                actions_applied: {
                    /** @description What the action did, or why it failed. `null` if there is nothing to say. */
                    detail: string | null;
                    /**
                     * Format: uuid
                     * @description Id of the issue that the action changed. `null` if it was about no issue.
                     */
                    issue_id: string | null;
                    /** @description Whether the action succeeded. */
                    ok: boolean;
                    /** @description Which action the node carries out. */
                    type: string;
                }[] | null;
                /**
                 * Format: date-time
                 * @description When the stage became active. `null` if it never was.
                 */
                activated_at: string | null;
                /** @description The votes so far. Only stages for approval have any. */
                approvals: {
                    /**
                     * Format: date-time
                     * @description When they voted.
                     */
                    at: string;
                    /**
                     * Format: uuid
                     * @description Who voted.
                     */
                    by: string;
                    /**
                     * @description What the approver decided.
                     * @enum {string}
                     */
                    outcome: "approved" | "rejected";
                }[];
                /**
                 * Format: uuid
                 * @description The person or agent who works on the stage. `null` if nobody in particular.
                 */
                assignee_user_id: string | null;
                /** @description How often work on the stage has begun. */
                attempts: number;
                /** @description Label of the edge that was followed. `null` if it has none, or the stage has not ended. */
                branch_taken: string | null;
                /**
                 * Format: uuid
                 * @description Who completed the stage. `null` if nobody did.
                 */
                completed_by: string | null;
                /**
                 * Format: date-time
                 * @description When the stage times out, or is due. `null` if never.
                 */
                due_at: string | null;
                /**
                 * Format: date-time
                 * @description When the stage ended. `null` if it has not.
                 */
                ended_at: string | null;
                /** @description What went wrong. `null` if nothing did. */
                error: string | null;
                /**
                 * @description What the node does.
                 * @enum {string}
                 */
                kind: "start" | "agent" | "person" | "condition" | "parallel" | "end" | "approval" | "action" | "wait";
                /** @description The node's label. `null` if none. */
                label: string | null;
                /** @description Id of the node in the workflow's graph. */
                node_id: string;
                /** @description The note of whoever completed the stage, in Markdown. `null` if none. */
                note_md: string | null;
                /**
                 * @description How the stage ended: `success`, `failure`, `approved`, `rejected`, `true`, `false`, `timeout`, `forced` or `cancelled`. `null` while it has not.
                 * @enum {string|null}
                 */
                outcome: "success" | "failure" | "approved" | "rejected" | "true" | "false" | "timeout" | "forced" | "cancelled" | null;
                /** @description What whoever completed the stage sent as its result. `null` if nothing. */
                output: {
                    [key: string]: unknown;
                } | null;
                /**
                 * Format: uuid
                 * @description Id of the agent session that the stage follows. `null` if none.
                 */
                session_id: string | null;
                /**
                 * @description `pending`: not reached yet. `active`: being worked on. `waiting`: one branch has arrived, and others are expected. `done` and `failed`: ended. `skipped`: no branch leads to it any more. `cancelled`: ended with the run.
                 * @enum {string}
                 */
                state: "pending" | "active" | "waiting" | "done" | "failed" | "skipped" | "cancelled";
            }[];
            /** @description The note that was sent at the start, in Markdown. `null` if none. */
            note_md: string | null;
            /**
             * Format: date-time
             * @description When the first stage became active.
             */
            started_at: string;
            /**
             * Format: uuid
             * @description The person, agent or key's owner who started the run, who may not approve its stages. `null` if an event started it.
             */
            started_by: string;
            /**
             * @description `running` until the run has ended.
             * @enum {string}
             */
            status: "running" | "completed" | "failed" | "cancelled";
            /** @description Whether all active stages wait for people, approvals, times or events. */
            waiting: boolean;
            /**
             * Format: uuid
             * @description The workflow that runs. The run keeps the version of the graph that it started with.
             */
            workflow_id: string;
            /** @description The workflow's present name, for people. */
            workflow_name: string;
            /** @description Version of the workflow that the run follows. Later versions do not change it. */
            workflow_version: number;
        };
        WorkflowStarted: {
            /** @description The run, with the states of its nodes. */
            run: components["schemas"]["WorkflowRunDetail"];
            /**
             * Format: uuid
             * @description Identifies the run for good. A UUIDv7: later ones sort after earlier ones.
             */
            run_id: string;
        };
        WorkflowStartInput: {
            /** @description Any JSON object of at most 16 KiB. Replies show it exactly as sent. */
            context?: {
                [key: string]: unknown;
            };
            /** @description A note for those who work on the run, in Markdown. */
            note_md?: string;
            /** @description The workflow that runs. The run keeps the version of the graph that it started with. */
            workflow_id: string;
        };
        Workspace: {
            /**
             * Format: date-time
             * @description When the workspace was created.
             */
            created_at: string;
            /** @description Language of mails and pages, as a BCP 47 tag. */
            default_locale: string;
            /**
             * Format: uuid
             * @description Identifies the workspace for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description Number of people in the workspace, including guests. */
            member_count: number;
            /** @description What people see as the workspace's name. It need not be unique; `slug` is. */
            name: string;
            /**
             * @description Decides the limits and which features the workspace has: `plan_limit_reached` and `plan_required` refer to it.
             * @enum {string}
             */
            plan: "free" | "pro" | "business";
            /** @description Number of projects that you can see and that are not archived. */
            project_count: number;
            /**
             * @description Your role in the workspace. `null` if you are not a member.
             * @enum {string|null}
             */
            role: "owner" | "admin" | "member" | "viewer" | "guest" | null;
            /** @description Name of the workspace in paths and addresses. It never changes. */
            slug: string;
            /** @description IANA time zone for schedules of automations that name none. */
            timezone: string;
            /**
             * Format: date-time
             * @description When the workspace was last changed.
             */
            updated_at: string;
            /** @description Address of the workspace's page. */
            url: string;
        };
        WorkspacePatchInput: {
            /** @description Language of mails and pages, as a BCP 47 tag. */
            default_locale?: string;
            /** @description What people see as the workspace's name. It need not be unique; `slug` is. */
            name?: string;
            /** @description IANA time zone for schedules of automations that name none. */
            timezone?: string;
        };
        WorkspaceView: {
            /** @description Fields to show for each issue, in order. Empty for the client's own choice. */
            columns: string[];
            /**
             * Format: date-time
             * @description When the view was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description User id of the person or agent who created the view.
             */
            created_by: string;
            /** @description Which issues the view shows, and in which order. A body sends all six fields. If it is missing on creation, the view shows all issues, last changed first. */
            filter: {
                /** @description User id of a person or agent to whom the issues are assigned, or `me` for the person who reads the view. `null`: no limit. */
                assigneeId: string | null;
                /** @description Priorities of the issues. Empty: all. */
                priorities: ("lowest" | "low" | "medium" | "high" | "highest" | "critical")[];
                /** @description Projects whose issues the view shows. Empty: all projects. Bodies may also give keys and slugs. Replies leave out projects that you cannot see. */
                projectIds: string[];
                /**
                 * @description Order of the issues. `updated_desc`: last changed first. `created_desc`: newest first. `priority_desc`: most urgent first. `due_asc`: soonest due first, those without a due date last.
                 * @enum {string}
                 */
                sort: "updated_desc" | "created_desc" | "priority_desc" | "due_asc";
                /** @description Status categories of the issues. Empty: all. */
                statuses: ("backlog" | "todo" | "in_progress" | "in_review" | "done" | "failed" | "cancelled")[];
                /** @description Types of the issues. Empty: all. */
                types: ("epic" | "story" | "task" | "bug" | "subtask")[];
            };
            /**
             * @description What the issues are grouped by. `null` for no groups.
             * @enum {string|null}
             */
            group_by: "status" | "assignee" | "priority" | "label" | "sprint" | "type" | "epic" | null;
            /**
             * Format: uuid
             * @description Identifies the view for good. A UUIDv7: later ones sort after earlier ones.
             */
            id: string;
            /** @description Whether all members of the workspace see the view, or only its creator. Guests see only their own. */
            is_shared: boolean;
            /**
             * @description How the issues are shown.
             * @enum {string}
             */
            layout: "board" | "backlog" | "list" | "calendar" | "timeline";
            /** @description What people see as the view's name. */
            name: string;
            /**
             * Format: date-time
             * @description When the view was last changed.
             */
            updated_at: string;
        };
        WorkspaceViewCreateInput: {
            /** @description Fields to show for each issue, in order. Empty for the client's own choice. Default: `[]`. */
            columns?: string[];
            /** @description Which issues the view shows, and in which order. A body sends all six fields. If it is missing on creation, the view shows all issues, last changed first. */
            filter?: {
                /** @description User id of a person or agent to whom the issues are assigned, or `me` for the person who reads the view. `null`: no limit. */
                assigneeId: string | null;
                /** @description Priorities of the issues. Empty: all. */
                priorities: ("lowest" | "low" | "medium" | "high" | "highest" | "critical")[];
                /** @description Projects whose issues the view shows. Empty: all projects. Bodies may also give keys and slugs. Replies leave out projects that you cannot see. */
                projectIds: string[];
                /**
                 * @description Order of the issues. `updated_desc`: last changed first. `created_desc`: newest first. `priority_desc`: most urgent first. `due_asc`: soonest due first, those without a due date last.
                 * @enum {string}
                 */
                sort: "updated_desc" | "created_desc" | "priority_desc" | "due_asc";
                /** @description Status categories of the issues. Empty: all. */
                statuses: ("backlog" | "todo" | "in_progress" | "in_review" | "done" | "failed" | "cancelled")[];
                /** @description Types of the issues. Empty: all. */
                types: ("epic" | "story" | "task" | "bug" | "subtask")[];
            };
            /**
             * @description What the issues are grouped by. `null` for no groups. Default: `null`.
             * @enum {string|null}
             */
            group_by?: "status" | "assignee" | "priority" | "label" | "sprint" | "type" | "epic" | null;
            /** @description Whether all members of the workspace see the view, or only its creator. Guests see only their own. Default: `true`. */
            is_shared?: boolean;
            /**
             * @description How the issues are shown. Default: `list`.
             * @enum {string}
             */
            layout?: "board" | "backlog" | "list" | "calendar" | "timeline";
            /** @description What people see as the view's name. */
            name: string;
        };
        WorkspaceViewPatchInput: {
            /** @description Fields to show for each issue, in order. Empty for the client's own choice. */
            columns?: string[];
            /** @description Which issues the view shows, and in which order. A body sends all six fields. If it is missing on creation, the view shows all issues, last changed first. */
            filter?: {
                /** @description User id of a person or agent to whom the issues are assigned, or `me` for the person who reads the view. `null`: no limit. */
                assigneeId: string | null;
                /** @description Priorities of the issues. Empty: all. */
                priorities: ("lowest" | "low" | "medium" | "high" | "highest" | "critical")[];
                /** @description Projects whose issues the view shows. Empty: all projects. Bodies may also give keys and slugs. Replies leave out projects that you cannot see. */
                projectIds: string[];
                /**
                 * @description Order of the issues. `updated_desc`: last changed first. `created_desc`: newest first. `priority_desc`: most urgent first. `due_asc`: soonest due first, those without a due date last.
                 * @enum {string}
                 */
                sort: "updated_desc" | "created_desc" | "priority_desc" | "due_asc";
                /** @description Status categories of the issues. Empty: all. */
                statuses: ("backlog" | "todo" | "in_progress" | "in_review" | "done" | "failed" | "cancelled")[];
                /** @description Types of the issues. Empty: all. */
                types: ("epic" | "story" | "task" | "bug" | "subtask")[];
            };
            /**
             * @description What the issues are grouped by. `null` for no groups.
             * @enum {string|null}
             */
            group_by?: "status" | "assignee" | "priority" | "label" | "sprint" | "type" | "epic" | null;
            /** @description Whether all members of the workspace see the view, or only its creator. Guests see only their own. */
            is_shared?: boolean;
            /**
             * @description How the issues are shown.
             * @enum {string}
             */
            layout?: "board" | "backlog" | "list" | "calendar" | "timeline";
            /** @description What people see as the view's name. */
            name?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Action = components['schemas']['Action'];
export type ActionInput = components['schemas']['ActionInput'];
export type Activity = components['schemas']['Activity'];
export type Agent = components['schemas']['Agent'];
export type AgentAnswers = components['schemas']['AgentAnswers'];
export type AgentDetail = components['schemas']['AgentDetail'];
export type AgentEvent = components['schemas']['AgentEvent'];
export type AgentPatchInput = components['schemas']['AgentPatchInput'];
export type AgentSession = components['schemas']['AgentSession'];
export type AgentSessionCreateInput = components['schemas']['AgentSessionCreateInput'];
export type AgentSessionDetail = components['schemas']['AgentSessionDetail'];
export type AgentSessionPatchInput = components['schemas']['AgentSessionPatchInput'];
export type AgentStreamFrame = components['schemas']['AgentStreamFrame'];
export type AgentStreamReady = components['schemas']['AgentStreamReady'];
export type AgentUsage = components['schemas']['AgentUsage'];
export type AgentUsageInput = components['schemas']['AgentUsageInput'];
export type ApiKey = components['schemas']['ApiKey'];
export type ApiKeyCreateInput = components['schemas']['ApiKeyCreateInput'];
export type ApiKeyPatchInput = components['schemas']['ApiKeyPatchInput'];
export type Attachment = components['schemas']['Attachment'];
export type AttachmentCommitInput = components['schemas']['AttachmentCommitInput'];
export type AttachmentIntentInput = components['schemas']['AttachmentIntentInput'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type Automation = components['schemas']['Automation'];
export type AutomationCreateInput = components['schemas']['AutomationCreateInput'];
export type AutomationDryRun = components['schemas']['AutomationDryRun'];
export type AutomationDryRunInput = components['schemas']['AutomationDryRunInput'];
export type AutomationFired = components['schemas']['AutomationFired'];
export type AutomationPatchInput = components['schemas']['AutomationPatchInput'];
export type AutomationRun = components['schemas']['AutomationRun'];
export type BulkCommentRow = components['schemas']['BulkCommentRow'];
export type BulkCommentsCreateInput = components['schemas']['BulkCommentsCreateInput'];
export type BulkDocRow = components['schemas']['BulkDocRow'];
export type BulkDocsCreateInput = components['schemas']['BulkDocsCreateInput'];
export type BulkFailure = components['schemas']['BulkFailure'];
export type BulkIssueRow = components['schemas']['BulkIssueRow'];
export type BulkIssuesCreateInput = components['schemas']['BulkIssuesCreateInput'];
export type CardSetup = components['schemas']['CardSetup'];
export type ChannelStreamFrame = components['schemas']['ChannelStreamFrame'];
export type ChannelStreamReady = components['schemas']['ChannelStreamReady'];
export type ChatChannel = components['schemas']['ChatChannel'];
export type ChatChannelCreateInput = components['schemas']['ChatChannelCreateInput'];
export type ChatChannelMember = components['schemas']['ChatChannelMember'];
export type ChatChannelMemberInput = components['schemas']['ChatChannelMemberInput'];
export type ChatChannelMemberPatchInput = components['schemas']['ChatChannelMemberPatchInput'];
export type ChatChannelPatchInput = components['schemas']['ChatChannelPatchInput'];
export type ChatDmInput = components['schemas']['ChatDmInput'];
export type ChatMessage = components['schemas']['ChatMessage'];
export type ChatMessageCreateInput = components['schemas']['ChatMessageCreateInput'];
export type ChatMessageDelta = components['schemas']['ChatMessageDelta'];
export type ChatMessagePatchInput = components['schemas']['ChatMessagePatchInput'];
export type ChatReactionInput = components['schemas']['ChatReactionInput'];
export type ChatReactions = components['schemas']['ChatReactions'];
export type ChatReadInput = components['schemas']['ChatReadInput'];
export type ChatStreamInput = components['schemas']['ChatStreamInput'];
export type ChatStreamReply = components['schemas']['ChatStreamReply'];
export type Comment = components['schemas']['Comment'];
export type CommentCreateInput = components['schemas']['CommentCreateInput'];
export type CommentPatchInput = components['schemas']['CommentPatchInput'];
export type CommitRef = components['schemas']['CommitRef'];
export type Conditions = components['schemas']['Conditions'];
export type CreditsChargeRefunded = components['schemas']['CreditsChargeRefunded'];
export type CreditsLow = components['schemas']['CreditsLow'];
export type CreditsPurchased = components['schemas']['CreditsPurchased'];
export type CustomCreditsInput = components['schemas']['CustomCreditsInput'];
export type CustomFieldDef = components['schemas']['CustomFieldDef'];
export type CustomFieldDefCreateInput = components['schemas']['CustomFieldDefCreateInput'];
export type CustomFieldDefPatchInput = components['schemas']['CustomFieldDefPatchInput'];
export type CustomFieldValue = components['schemas']['CustomFieldValue'];
export type CustomFieldValueInput = components['schemas']['CustomFieldValueInput'];
export type DeleteApiKeyQuery = components['schemas']['DeleteApiKeyQuery'];
export type DeleteApiKeyResult = components['schemas']['DeleteApiKeyResult'];
export type DeleteAttachmentResult = components['schemas']['DeleteAttachmentResult'];
export type DeleteAutomationResult = components['schemas']['DeleteAutomationResult'];
export type DeleteChatMemberResult = components['schemas']['DeleteChatMemberResult'];
export type DeleteChatMessageResult = components['schemas']['DeleteChatMessageResult'];
export type DeleteCommentResult = components['schemas']['DeleteCommentResult'];
export type DeleteCustomFieldDefResult = components['schemas']['DeleteCustomFieldDefResult'];
export type DeleteDocCommentResult = components['schemas']['DeleteDocCommentResult'];
export type DeleteDocResult = components['schemas']['DeleteDocResult'];
export type DeleteDocWatcherResult = components['schemas']['DeleteDocWatcherResult'];
export type DeleteFormResult = components['schemas']['DeleteFormResult'];
export type DeleteGoalResult = components['schemas']['DeleteGoalResult'];
export type DeleteInviteResult = components['schemas']['DeleteInviteResult'];
export type DeleteKeyResultResult = components['schemas']['DeleteKeyResultResult'];
export type DeleteLabelResult = components['schemas']['DeleteLabelResult'];
export type DeleteLinkResult = components['schemas']['DeleteLinkResult'];
export type DeleteMemberResult = components['schemas']['DeleteMemberResult'];
export type DeleteMilestoneResult = components['schemas']['DeleteMilestoneResult'];
export type DeleteOauthAppResult = components['schemas']['DeleteOauthAppResult'];
export type DeletePortfolioProjectResult = components['schemas']['DeletePortfolioProjectResult'];
export type DeletePortfolioResult = components['schemas']['DeletePortfolioResult'];
export type DeleteProjectMemberResult = components['schemas']['DeleteProjectMemberResult'];
export type DeleteReleaseResult = components['schemas']['DeleteReleaseResult'];
export type DeleteSavedViewResult = components['schemas']['DeleteSavedViewResult'];
export type DeleteSprintResult = components['schemas']['DeleteSprintResult'];
export type DeleteStatusResult = components['schemas']['DeleteStatusResult'];
export type DeleteTimeEntryResult = components['schemas']['DeleteTimeEntryResult'];
export type DeleteViewResult = components['schemas']['DeleteViewResult'];
export type DeleteWatcherResult = components['schemas']['DeleteWatcherResult'];
export type DeleteWebhookResult = components['schemas']['DeleteWebhookResult'];
export type DeleteWorkflowQuery = components['schemas']['DeleteWorkflowQuery'];
export type DeleteWorkflowResult = components['schemas']['DeleteWorkflowResult'];
export type DisabledWebhook = components['schemas']['DisabledWebhook'];
export type Doc = components['schemas']['Doc'];
export type DocComment = components['schemas']['DocComment'];
export type DocCommentCreateInput = components['schemas']['DocCommentCreateInput'];
export type DocCommentPatchInput = components['schemas']['DocCommentPatchInput'];
export type DocCreateInput = components['schemas']['DocCreateInput'];
export type DocExport = components['schemas']['DocExport'];
export type DocPatchInput = components['schemas']['DocPatchInput'];
export type DocVersion = components['schemas']['DocVersion'];
export type DocVersionSummary = components['schemas']['DocVersionSummary'];
export type EventSubscription = components['schemas']['EventSubscription'];
export type FieldError = components['schemas']['FieldError'];
export type FixedCreditsInput = components['schemas']['FixedCreditsInput'];
export type Form = components['schemas']['Form'];
export type FormCreateInput = components['schemas']['FormCreateInput'];
export type FormField = components['schemas']['FormField'];
export type FormFieldInput = components['schemas']['FormFieldInput'];
export type FormFieldPatchInput = components['schemas']['FormFieldPatchInput'];
export type FormPatchInput = components['schemas']['FormPatchInput'];
export type FormSubmission = components['schemas']['FormSubmission'];
export type FormSubmissionCreateInput = components['schemas']['FormSubmissionCreateInput'];
export type FormSummary = components['schemas']['FormSummary'];
export type GetAgentEventListenQuery = components['schemas']['GetAgentEventListenQuery'];
export type GetAgentSessionQuery = components['schemas']['GetAgentSessionQuery'];
export type GetApiKeyUsageQuery = components['schemas']['GetApiKeyUsageQuery'];
export type GetChatChannelQuery = components['schemas']['GetChatChannelQuery'];
export type GetDocExportQuery = components['schemas']['GetDocExportQuery'];
export type GetDocQuery = components['schemas']['GetDocQuery'];
export type GetGoalQuery = components['schemas']['GetGoalQuery'];
export type GetIssueByKeyQuery = components['schemas']['GetIssueByKeyQuery'];
export type GetIssueQuery = components['schemas']['GetIssueQuery'];
export type GetReportQuery = components['schemas']['GetReportQuery'];
export type Goal = components['schemas']['Goal'];
export type GoalCreateInput = components['schemas']['GoalCreateInput'];
export type GoalDetail = components['schemas']['GoalDetail'];
export type GoalPatchInput = components['schemas']['GoalPatchInput'];
export type Invite = components['schemas']['Invite'];
export type InviteCreateInput = components['schemas']['InviteCreateInput'];
export type Issue = components['schemas']['Issue'];
export type IssueCreateInput = components['schemas']['IssueCreateInput'];
export type IssueInProjectInput = components['schemas']['IssueInProjectInput'];
export type IssueLink = components['schemas']['IssueLink'];
export type IssueLinkCreateInput = components['schemas']['IssueLinkCreateInput'];
export type IssuePatchInput = components['schemas']['IssuePatchInput'];
export type IssueTransitionInput = components['schemas']['IssueTransitionInput'];
export type KeyResult = components['schemas']['KeyResult'];
export type KeyResultCreateInput = components['schemas']['KeyResultCreateInput'];
export type KeyResultPatchInput = components['schemas']['KeyResultPatchInput'];
export type KeyUsage = components['schemas']['KeyUsage'];
export type Label = components['schemas']['Label'];
export type LabelCreateInput = components['schemas']['LabelCreateInput'];
export type LabelPatchInput = components['schemas']['LabelPatchInput'];
export type LabelWithCount = components['schemas']['LabelWithCount'];
export type ListAgentSessionsQuery = components['schemas']['ListAgentSessionsQuery'];
export type ListAgentsQuery = components['schemas']['ListAgentsQuery'];
export type ListApiKeysQuery = components['schemas']['ListApiKeysQuery'];
export type ListAttachmentsQuery = components['schemas']['ListAttachmentsQuery'];
export type ListAuditLogQuery = components['schemas']['ListAuditLogQuery'];
export type ListAutomationRunsQuery = components['schemas']['ListAutomationRunsQuery'];
export type ListAutomationsQuery = components['schemas']['ListAutomationsQuery'];
export type ListChatChannelsQuery = components['schemas']['ListChatChannelsQuery'];
export type ListChatMembersQuery = components['schemas']['ListChatMembersQuery'];
export type ListChatMessagesQuery = components['schemas']['ListChatMessagesQuery'];
export type ListCommentsQuery = components['schemas']['ListCommentsQuery'];
export type ListCustomFieldDefsQuery = components['schemas']['ListCustomFieldDefsQuery'];
export type ListDocCommentsQuery = components['schemas']['ListDocCommentsQuery'];
export type ListDocsQuery = components['schemas']['ListDocsQuery'];
export type ListDocVersionsQuery = components['schemas']['ListDocVersionsQuery'];
export type ListFormFieldsQuery = components['schemas']['ListFormFieldsQuery'];
export type ListFormsQuery = components['schemas']['ListFormsQuery'];
export type ListFormSubmissionsQuery = components['schemas']['ListFormSubmissionsQuery'];
export type ListGoalsQuery = components['schemas']['ListGoalsQuery'];
export type ListInvitesQuery = components['schemas']['ListInvitesQuery'];
export type ListIssueActivityQuery = components['schemas']['ListIssueActivityQuery'];
export type ListIssueCommitsQuery = components['schemas']['ListIssueCommitsQuery'];
export type ListIssuesQuery = components['schemas']['ListIssuesQuery'];
export type ListLabelsQuery = components['schemas']['ListLabelsQuery'];
export type ListMembersQuery = components['schemas']['ListMembersQuery'];
export type ListMilestonesQuery = components['schemas']['ListMilestonesQuery'];
export type ListNotificationsQuery = components['schemas']['ListNotificationsQuery'];
export type ListOauthAppsQuery = components['schemas']['ListOauthAppsQuery'];
export type ListPortfoliosQuery = components['schemas']['ListPortfoliosQuery'];
export type ListProjectMembersQuery = components['schemas']['ListProjectMembersQuery'];
export type ListProjectsQuery = components['schemas']['ListProjectsQuery'];
export type ListReleasesQuery = components['schemas']['ListReleasesQuery'];
export type ListSearchQueryQuery = components['schemas']['ListSearchQueryQuery'];
export type ListSprintsQuery = components['schemas']['ListSprintsQuery'];
export type ListTimeEntriesQuery = components['schemas']['ListTimeEntriesQuery'];
export type ListViewIssuesQuery = components['schemas']['ListViewIssuesQuery'];
export type ListViewsQuery = components['schemas']['ListViewsQuery'];
export type ListWebhookDeliveriesQuery = components['schemas']['ListWebhookDeliveriesQuery'];
export type ListWebhooksQuery = components['schemas']['ListWebhooksQuery'];
export type ListWorkflowRunsQuery = components['schemas']['ListWorkflowRunsQuery'];
export type ListWorkflowsQuery = components['schemas']['ListWorkflowsQuery'];
export type ListWorkspaceIssuesQuery = components['schemas']['ListWorkspaceIssuesQuery'];
export type ListWorkspacesQuery = components['schemas']['ListWorkspacesQuery'];
export type MarkNotificationAllReadQuery = components['schemas']['MarkNotificationAllReadQuery'];
export type Me = components['schemas']['Me'];
export type Member = components['schemas']['Member'];
export type MemberPatchInput = components['schemas']['MemberPatchInput'];
export type Milestone = components['schemas']['Milestone'];
export type MilestoneCreateInput = components['schemas']['MilestoneCreateInput'];
export type MilestonePatchInput = components['schemas']['MilestonePatchInput'];
export type NewApiKey = components['schemas']['NewApiKey'];
export type NewOauthApp = components['schemas']['NewOauthApp'];
export type Notification = components['schemas']['Notification'];
export type NotificationPatchInput = components['schemas']['NotificationPatchInput'];
export type NotificationsMarkedRead = components['schemas']['NotificationsMarkedRead'];
export type OauthApp = components['schemas']['OauthApp'];
export type OauthAppCreateInput = components['schemas']['OauthAppCreateInput'];
export type OwnershipTransferInput = components['schemas']['OwnershipTransferInput'];
export type Pagination = components['schemas']['Pagination'];
export type PaymentChallenge = components['schemas']['PaymentChallenge'];
export type PaymentProblem = components['schemas']['PaymentProblem'];
export type PaymentReceipt = components['schemas']['PaymentReceipt'];
export type Portfolio = components['schemas']['Portfolio'];
export type PortfolioCreateInput = components['schemas']['PortfolioCreateInput'];
export type PortfolioPatchInput = components['schemas']['PortfolioPatchInput'];
export type PortfolioProject = components['schemas']['PortfolioProject'];
export type PortfolioProjectAddInput = components['schemas']['PortfolioProjectAddInput'];
export type Problem = components['schemas']['Problem'];
export type ProblemCode = components['schemas']['ProblemCode'];
export type ProblemError = components['schemas']['ProblemError'];
export type Project = components['schemas']['Project'];
export type ProjectCreateInput = components['schemas']['ProjectCreateInput'];
export type ProjectMember = components['schemas']['ProjectMember'];
export type ProjectMemberAddInput = components['schemas']['ProjectMemberAddInput'];
export type ProjectPatchInput = components['schemas']['ProjectPatchInput'];
export type ProjectStatus = components['schemas']['ProjectStatus'];
export type Purchase = components['schemas']['Purchase'];
export type Release = components['schemas']['Release'];
export type ReleaseCreateInput = components['schemas']['ReleaseCreateInput'];
export type ReleasePatchInput = components['schemas']['ReleasePatchInput'];
export type Report = components['schemas']['Report'];
export type SavedView = components['schemas']['SavedView'];
export type SavedViewCreateInput = components['schemas']['SavedViewCreateInput'];
export type SavedViewPatchInput = components['schemas']['SavedViewPatchInput'];
export type SearchResult = components['schemas']['SearchResult'];
export type Sprint = components['schemas']['Sprint'];
export type SprintCreateInput = components['schemas']['SprintCreateInput'];
export type SprintPatchInput = components['schemas']['SprintPatchInput'];
export type StatusCreateInput = components['schemas']['StatusCreateInput'];
export type StatusPatchInput = components['schemas']['StatusPatchInput'];
export type StreamEnd = components['schemas']['StreamEnd'];
export type TimeEntry = components['schemas']['TimeEntry'];
export type TimeEntryCreateInput = components['schemas']['TimeEntryCreateInput'];
export type TimeEntryPatchInput = components['schemas']['TimeEntryPatchInput'];
export type TimePatchInput = components['schemas']['TimePatchInput'];
export type TimeTracking = components['schemas']['TimeTracking'];
export type UploadIntent = components['schemas']['UploadIntent'];
export type Usage = components['schemas']['Usage'];
export type Warning = components['schemas']['Warning'];
export type Watcher = components['schemas']['Watcher'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookCreateInput = components['schemas']['WebhookCreateInput'];
export type WebhookData = components['schemas']['WebhookData'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookMessage = components['schemas']['WebhookMessage'];
export type WebhookPatchInput = components['schemas']['WebhookPatchInput'];
export type WebhookReplay = components['schemas']['WebhookReplay'];
export type WebhookReplayInput = components['schemas']['WebhookReplayInput'];
export type WebhookRotateSecretInput = components['schemas']['WebhookRotateSecretInput'];
export type WebhookTest = components['schemas']['WebhookTest'];
export type WebhookWithSecret = components['schemas']['WebhookWithSecret'];
export type Workflow = components['schemas']['Workflow'];
export type WorkflowAdvanceInput = components['schemas']['WorkflowAdvanceInput'];
export type WorkflowCancelled = components['schemas']['WorkflowCancelled'];
export type WorkflowCompleteStageInput = components['schemas']['WorkflowCompleteStageInput'];
export type WorkflowCreateInput = components['schemas']['WorkflowCreateInput'];
export type WorkflowDetail = components['schemas']['WorkflowDetail'];
export type WorkflowEdge = components['schemas']['WorkflowEdge'];
export type WorkflowEdgeInput = components['schemas']['WorkflowEdgeInput'];
export type WorkflowGraphInput = components['schemas']['WorkflowGraphInput'];
export type WorkflowNode = components['schemas']['WorkflowNode'];
export type WorkflowNodeInput = components['schemas']['WorkflowNodeInput'];
export type WorkflowPatchInput = components['schemas']['WorkflowPatchInput'];
export type WorkflowRun = components['schemas']['WorkflowRun'];
export type WorkflowRunDetail = components['schemas']['WorkflowRunDetail'];
export type WorkflowStarted = components['schemas']['WorkflowStarted'];
export type WorkflowStartInput = components['schemas']['WorkflowStartInput'];
export type Workspace = components['schemas']['Workspace'];
export type WorkspacePatchInput = components['schemas']['WorkspacePatchInput'];
export type WorkspaceView = components['schemas']['WorkspaceView'];
export type WorkspaceViewCreateInput = components['schemas']['WorkspaceViewCreateInput'];
export type WorkspaceViewPatchInput = components['schemas']['WorkspaceViewPatchInput'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;

/**
 * The error codes with which the code of each operation refuses calls, besides those that the engine adds. `npm run pin`
 * writes this file.
 */
export const ERROR_CODES: Readonly<Record<string, string>> = {
  "members.patch": "insufficient_role last_owner",
  "members.delete": "insufficient_role last_owner",
  "members.transfer-ownership": "insufficient_role invalid_reference",
  "invites.create":
    "already_member insufficient_role invalid_reference plan_limit_reached rate_limited validation_failed",
  "invites.delete": "insufficient_role not_found",
  "projects.create": "already_exists invalid_reference mutually_exclusive plan_limit_reached validation_failed",
  "projects.patch": "archived immutable_field insufficient_role invalid_reference mutually_exclusive validation_failed",
  "projects.restore": "plan_limit_reached restore_window_over",
  "project-members.create": "insufficient_role not_a_member",
  "project-members.delete": "insufficient_role",
  "statuses.create":
    "already_exists archived invalid_reference mutually_exclusive status_limit_reached validation_failed",
  "statuses.patch": "already_exists archived field_not_allowed invalid_reference mutually_exclusive validation_failed",
  "statuses.delete": "archived field_not_allowed last_status",
  "reports.get": "invalid_parameter unavailable unknown_report",
  "saved-views.create":
    "archived insufficient_role invalid_parameter invalid_reference mutually_exclusive validation_failed view_limit_reached",
  "saved-views.patch":
    "archived insufficient_role invalid_parameter invalid_reference mutually_exclusive not_owner_of_resource validation_failed view_limit_reached",
  "saved-views.delete": "archived not_owner_of_resource",
  "issues.list": "cursor_mismatch invalid_parameter mutually_exclusive validation_failed",
  "issues.create":
    "already_exists archived depth_limit_reached insufficient_role invalid_reference mutually_exclusive open_blockers sprint_completed transition_not_allowed unavailable validation_failed wip_limit_exceeded",
  "issues.bulk-create":
    "already_exists archived depth_limit_reached insufficient_role invalid_reference mutually_exclusive open_blockers sprint_completed transition_not_allowed unavailable validation_failed wip_limit_exceeded",
  "issues.get": "insufficient_scope",
  "issues.patch":
    "already_exists archived depth_limit_reached field_not_allowed insufficient_role invalid_reference mutually_exclusive open_blockers parent_cycle sprint_completed transition_not_allowed validation_failed version_conflict wip_limit_exceeded",
  "issues.delete": "archived",
  "issues.restore": "archived restore_window_over wip_limit_exceeded",
  "issues.transition":
    "already_exists archived depth_limit_reached field_not_allowed insufficient_role invalid_reference mutually_exclusive open_blockers parent_cycle sprint_completed transition_not_allowed validation_failed version_conflict wip_limit_exceeded",
  "issues.create-in-workspace":
    "already_exists archived depth_limit_reached insufficient_role invalid_reference mutually_exclusive not_found open_blockers sprint_completed transition_not_allowed unavailable validation_failed wip_limit_exceeded",
  "issues.by-key": "insufficient_scope",
  "issues.patch-by-key":
    "already_exists archived depth_limit_reached field_not_allowed insufficient_role invalid_reference mutually_exclusive open_blockers parent_cycle sprint_completed transition_not_allowed validation_failed version_conflict wip_limit_exceeded",
  "links.create": "archived insufficient_role invalid_reference link_cycle link_limit_reached link_self",
  "links.delete": "archived insufficient_role not_found",
  "custom-field-defs.create":
    "already_exists archived invalid_reference mutually_exclusive plan_limit_reached validation_failed",
  "custom-field-defs.patch":
    "already_exists archived field_in_use field_not_allowed invalid_reference invalid_state_change mutually_exclusive validation_failed",
  "custom-field-defs.delete": "archived field_not_allowed",
  "custom-fields.set":
    "already_exists archived depth_limit_reached field_not_allowed insufficient_role invalid_reference mutually_exclusive open_blockers parent_cycle sprint_completed transition_not_allowed validation_failed version_conflict wip_limit_exceeded",
  "custom-fields.clear":
    "already_exists archived depth_limit_reached field_not_allowed insufficient_role invalid_reference mutually_exclusive open_blockers parent_cycle sprint_completed transition_not_allowed validation_failed version_conflict wip_limit_exceeded",
  "time.patch":
    "already_exists archived depth_limit_reached field_not_allowed insufficient_role invalid_reference mutually_exclusive open_blockers parent_cycle sprint_completed transition_not_allowed validation_failed version_conflict wip_limit_exceeded",
  "time-entries.create":
    "already_exists archived depth_limit_reached field_not_allowed insufficient_role invalid_reference mutually_exclusive open_blockers parent_cycle sprint_completed transition_not_allowed validation_failed version_conflict wip_limit_exceeded",
  "time-entries.patch":
    "already_exists archived depth_limit_reached field_not_allowed insufficient_role invalid_reference mutually_exclusive not_owner_of_resource open_blockers parent_cycle sprint_completed transition_not_allowed validation_failed version_conflict wip_limit_exceeded",
  "time-entries.delete":
    "already_exists archived depth_limit_reached field_not_allowed insufficient_role invalid_reference mutually_exclusive not_owner_of_resource open_blockers parent_cycle sprint_completed transition_not_allowed validation_failed version_conflict wip_limit_exceeded",
  "comments.list": "insufficient_scope invalid_parameter",
  "comments.create": "archived invalid_reference",
  "comments.patch": "archived not_owner_of_resource",
  "comments.delete": "archived not_owner_of_resource",
  "comments.bulk-create": "archived invalid_reference",
  "attachments.create": "archived invalid_reference not_owner_of_resource storage_limit_reached validation_failed",
  "attachments.commit":
    "archived attachment_limit_reached checksum_mismatch invalid_reference not_owner_of_resource upload_expired upload_missing upload_size_mismatch",
  "attachments.delete": "archived not_owner_of_resource",
  "watchers.create": "archived",
  "watchers.delete": "archived insufficient_role",
  "doc-watchers.delete": "insufficient_role",
  "labels.create": "already_exists archived",
  "labels.patch": "already_exists archived",
  "labels.delete": "archived field_not_allowed",
  "milestones.create": "archived invalid_reference mutually_exclusive validation_failed",
  "milestones.patch": "archived invalid_reference mutually_exclusive validation_failed",
  "milestones.delete": "archived field_not_allowed",
  "sprints.create": "archived invalid_reference mutually_exclusive validation_failed",
  "sprints.patch":
    "archived field_not_allowed invalid_reference invalid_state_change mutually_exclusive sprint_completed validation_failed",
  "sprints.delete": "archived field_not_allowed",
  "releases.create": "archived invalid_reference mutually_exclusive validation_failed",
  "releases.patch": "archived invalid_reference mutually_exclusive validation_failed",
  "releases.delete": "archived field_not_allowed",
  "forms.create": "insufficient_scope invalid_reference invalid_url plan_limit_reached validation_failed",
  "forms.patch": "insufficient_scope invalid_reference invalid_url validation_failed",
  "forms.submissions": "insufficient_role",
  "forms.submit":
    "already_answered already_exists archived depth_limit_reached form_closed insufficient_role insufficient_scope invalid_reference invalid_url mutually_exclusive open_blockers plan_limit_reached sprint_completed transition_not_allowed unavailable validation_failed wip_limit_exceeded",
  "forms.submission": "insufficient_role",
  "goals.list": "invalid_parameter mutually_exclusive",
  "goals.create":
    "depth_limit_reached goal_cycle insufficient_role invalid_reference mutually_exclusive plan_limit_reached validation_failed",
  "goals.patch":
    "depth_limit_reached goal_cycle insufficient_role invalid_reference mutually_exclusive validation_failed version_conflict",
  "goals.delete": "insufficient_role",
  "goals.get": "insufficient_scope unavailable",
  "key-results.create":
    "insufficient_role insufficient_scope invalid_reference key_result_limit_reached mutually_exclusive not_found",
  "key-results.patch": "immutable_field insufficient_role insufficient_scope invalid_reference mutually_exclusive",
  "key-results.delete": "insufficient_role",
  "portfolios.create": "insufficient_role invalid_reference plan_limit_reached",
  "portfolios.patch": "insufficient_role invalid_reference",
  "portfolios.delete": "insufficient_role",
  "portfolio-projects.create": "archived insufficient_role not_found portfolio_project_limit_reached",
  "portfolio-projects.delete": "insufficient_role not_found",
  "views.create": "insufficient_role invalid_reference view_limit_reached",
  "views.patch": "insufficient_role invalid_reference not_owner_of_resource view_limit_reached",
  "views.delete": "insufficient_role not_owner_of_resource",
  "workspaces.issues": "cursor_mismatch invalid_parameter invalid_reference",
  "views.issues": "cursor_mismatch",
  "docs.list": "invalid_parameter",
  "docs.create": "depth_limit_reached invalid_reference unauthorized validation_failed",
  "docs.bulk-create": "depth_limit_reached invalid_reference unauthorized validation_failed",
  "docs.get": "insufficient_scope",
  "docs.export": "pdf_unavailable too_complex_to_export unavailable",
  "docs.patch":
    "archived depth_limit_reached invalid_reference mutually_exclusive not_owner_of_resource parent_cycle replace_ambiguous replace_not_found restore_window_over unauthorized validation_failed version_conflict",
  "doc-comments.list": "insufficient_scope",
  "doc-comments.create": "archived invalid_reference",
  "doc-comments.patch": "archived not_owner_of_resource",
  "doc-comments.delete": "archived not_owner_of_resource",
  "doc-versions.restore": "archived",
  "chat-channels.create": "already_exists invalid_reference",
  "chat-channels.get": "insufficient_scope",
  "chat-channels.patch": "already_exists archived immutable_field insufficient_role",
  "chat-channels.dm": "invalid_reference validation_failed",
  "chat-members.create": "archived insufficient_role invalid_reference not_found",
  "chat-members.patch": "insufficient_role",
  "chat-members.delete": "insufficient_role",
  "chat-messages.list": "invalid_parameter",
  "chat-messages.create": "archived invalid_reference not_found",
  "chat-messages.patch": "archived invalid_state_change not_owner_of_resource",
  "chat-messages.delete": "archived not_owner_of_resource",
  "chat-messages.stream":
    "archived invalid_reference not_found not_owner_of_resource stream_closed stream_gap validation_failed",
  "chat-messages.read": "invalid_reference",
  "chat-messages.react": "archived not_found reaction_limit_reached",
  "chat-messages.unreact": "archived not_found",
  "search.query": "insufficient_scope invalid_parameter",
  "workflows.create": "graph_invalid insufficient_role insufficient_scope invalid_reference",
  "workflows.patch": "graph_invalid insufficient_role insufficient_scope mutually_exclusive plan_limit_reached",
  "workflows.get": "unavailable",
  "workflows.delete": "insufficient_role workflow_runs_in_flight",
  "workflows.graph": "graph_invalid insufficient_role insufficient_scope invalid_reference version_conflict",
  "workflow-runs.start": "archived chain_too_long invalid_reference run_already_active workflow_not_enabled",
  "workflow-runs.cancel":
    "already_exists archived depth_limit_reached field_not_allowed insufficient_role insufficient_scope invalid_reference mutually_exclusive no_active_run open_blockers parent_cycle sprint_completed transition_not_allowed validation_failed version_conflict wip_limit_exceeded",
  "workflow-runs.get": "unavailable",
  "workflow-runs.complete-stage":
    "already_exists archived depth_limit_reached field_not_allowed insufficient_role insufficient_scope invalid_reference mutually_exclusive no_active_stage not_stage_actor open_blockers parent_cycle run_finished sprint_completed transition_not_allowed validation_failed version_conflict wip_limit_exceeded",
  "workflow-runs.advance":
    "already_exists archived depth_limit_reached field_not_allowed insufficient_role insufficient_scope invalid_reference mutually_exclusive no_active_stage open_blockers parent_cycle run_already_active run_finished sprint_completed transition_not_allowed validation_failed version_conflict wip_limit_exceeded",
  "automations.create":
    "insufficient_role insufficient_scope invalid_parameter invalid_reference mutually_exclusive plan_limit_reached validation_failed",
  "automations.patch":
    "insufficient_role insufficient_scope invalid_parameter invalid_reference key_project_limit mutually_exclusive plan_limit_reached plan_required validation_failed",
  "automations.delete": "insufficient_role",
  "automations.dry-run": "archived insufficient_role insufficient_scope invalid_reference not_found",
  "agents.get": "agent_key_required",
  "agents.patch":
    "agent_key_required already_exists insufficient_role invalid_reference not_owner_of_resource validation_failed",
  "agents.delete": "agent_key_required insufficient_role not_owner_of_resource",
  "agent-sessions.list": "invalid_parameter",
  "agent-sessions.create":
    "agent_paused already_exists archived depth_limit_reached field_not_allowed insufficient_role invalid_parameter invalid_reference invalid_state_change issue_claimed key_project_limit mutually_exclusive not_owner_of_resource nothing_ready open_blockers parent_cycle session_cancelled spend_cap_reached sprint_completed transition_not_allowed validation_failed version_conflict wip_limit_exceeded",
  "agent-sessions.get": "insufficient_scope",
  "agent-sessions.patch":
    "agent_paused already_exists archived invalid_reference invalid_state_change issue_claimed not_owner_of_resource session_cancelled spend_cap_reached validation_failed",
  "agent-sessions.usage": "invalid_reference mutually_exclusive not_owner_of_resource validation_failed",
  "agent-events.listen":
    "agent_key_required challenge_consumed challenge_expired challenge_mismatch challenge_unknown idempotency_in_progress idempotency_key_reused malformed_credential method_unsupported no_saved_card payment_required payment_unknown payments_off rate_limited too_many_streams",
  "api-keys.create":
    "insufficient_role invalid_reference key_project_limit mutually_exclusive not_owner_of_resource plan_limit_reached scope_exceeds_grantor validation_failed",
  "api-keys.patch":
    "invalid_state_change not_owner_of_resource plan_limit_reached scope_exceeds_grantor validation_failed",
  "api-keys.delete": "scope_exceeds_grantor",
  "api-keys.usage": "invalid_parameter unavailable",
  "oauth-apps.create": "insufficient_role scope_exceeds_grantor",
  "oauth-apps.delete": "scope_exceeds_grantor",
  "audit-log.list": "invalid_parameter",
  "webhooks.create":
    "insufficient_scope invalid_reference invalid_url key_project_limit plan_limit_reached validation_failed",
  "webhooks.patch":
    "insufficient_scope invalid_reference invalid_url key_project_limit plan_limit_reached validation_failed",
  "webhooks.deliveries": "invalid_parameter",
  "webhooks.deliveries.retry": "insufficient_scope invalid_state_change",
  "webhooks.replay": "insufficient_scope invalid_state_change validation_failed",
  "webhooks.rotate-secret": "insufficient_scope",
  "webhooks.test": "insufficient_scope rate_limited",
  buyCreditsSmall:
    "agent_key_required challenge_consumed challenge_expired challenge_mismatch challenge_unknown idempotency_in_progress idempotency_key_reused malformed_credential method_unsupported no_saved_card payment_required payment_unknown payments_off rate_limited too_many_streams",
  buyCreditsMedium:
    "agent_key_required challenge_consumed challenge_expired challenge_mismatch challenge_unknown idempotency_in_progress idempotency_key_reused malformed_credential method_unsupported no_saved_card payment_required payment_unknown payments_off rate_limited too_many_streams",
  buyCreditsLarge:
    "agent_key_required challenge_consumed challenge_expired challenge_mismatch challenge_unknown idempotency_in_progress idempotency_key_reused malformed_credential method_unsupported no_saved_card payment_required payment_unknown payments_off rate_limited too_many_streams",
  buyCreditsCustom:
    "challenge_consumed challenge_expired challenge_mismatch challenge_unknown idempotency_in_progress idempotency_key_reused malformed_credential method_unsupported no_saved_card payment_required payment_unknown payments_off rate_limited",
  "purchases.get": "not_found",
  "cards.setup": "payments_off person_required unavailable",
};

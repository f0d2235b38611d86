import { defineEvent } from "../../events/define-event.ts";
import { AgentView } from "./view.ts";

const ofAgent = { view: AgentView, audience: "workspace" } as const;

export const agentConnected = defineEvent("agent.connected", ofAgent);
export const agentRevoked = defineEvent("agent.revoked", ofAgent);

// Messages: why did this not arrive? The list, a conversation, and the why of one message.

import { NotBuilt } from "../../components/not-built.tsx";

export function MessagesScreen() {
  return <NotBuilt what="Messages" />;
}

// Pages that people have named, with their filters: the account's, or the operator's own.

import type { SavedView } from "@tandem/sdk";
import { client } from "./client.ts";
import { itemsQuery } from "./queries.ts";

export const viewsQuery = itemsQuery<SavedView>(["views"], (options) => client.session.views.list(options));

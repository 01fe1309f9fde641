// What several screens of an account need: the account itself, its numbers and its MessagingConfigs.

import { client } from "./client.ts";
import { dataQuery, itemsQuery } from "./queries.ts";

const CONFIGS_MAX = 1000;

export const accountQuery = dataQuery(["account"], (options) => client.account.get(options));

export const phonesQuery = itemsQuery(["phones", "all"], (options) =>
  client.phones.list({ pageSize: 200, ...options }),
);

export const configsQuery = itemsQuery(["configs", "all"], (options) =>
  client.messagingConfigs.list({ pageSize: CONFIGS_MAX, ...options }),
);

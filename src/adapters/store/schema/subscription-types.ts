// A subscription has one or several types, or `*` for all but the one whose answer is awaited.

export const subscriptionTypesSchema = {
  name: "0017-subscription-types",
  sql: `
alter table webhook_subscriptions add column types text[];
update webhook_subscriptions set types = array[type];
alter table webhook_subscriptions alter column types set not null, drop column type;
`,
};

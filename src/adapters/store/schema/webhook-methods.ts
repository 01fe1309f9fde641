// The HTTP methods for a subscription's URLs; null is POST.

export const webhookMethodsSchema = {
  name: "0300-webhook-methods",
  sql: `
alter table webhook_subscriptions add method text, add backup_method text;
`,
};

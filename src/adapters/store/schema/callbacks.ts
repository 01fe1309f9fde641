// The payload shape and the statuses that a callback URL gets, as columns: they used to follow `#` in the URL. Calls
// have callbacks, too, and a time limit for their second party to answer.

const NAMED = "#(shape=\\w+(&statuses=final)?|statuses=final)$";
const SHAPE = "substring(url from '#shape=(A|B|Twilio)(&statuses=final)?$')";

export const callbacksSchema = {
  name: "0301-callbacks",
  sql: `
alter table outbound_messages add callback_shape text, add callback_statuses text;
update outbound_messages
   set callback_shape = ${SHAPE.replace("url", "callback_url")},
       callback_statuses = case when callback_url ~ '#(shape=\\w+&)?statuses=final$' then 'Final' end,
       callback_url = regexp_replace(callback_url, '${NAMED}', '')
 where callback_url ~ '${NAMED}';
alter table deliveries add payload_shape text;
alter table delivery_queue add payload_shape text;
update delivery_queue set payload_shape = ${SHAPE}, url = regexp_replace(url, '${NAMED}', '') where url ~ '${NAMED}';
update webhook_subscriptions set types = types || '{CallStatusChangedWebhook}' where is_callback;
alter table calls add callback json, add second_ring_seconds integer;
`,
};

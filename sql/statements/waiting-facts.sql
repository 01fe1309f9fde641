select asked."accountSid", asked."from", phone.status, phone.messaging_config_sid as "messagingConfigSid",
       config.tcr_campaign_id as "tcrCampaignId", campaign.status as "campaignStatus",
       config.default_expiry_seconds as "defaultExpirySeconds", config.sending_times as "sendingTimes",
       'SMS' = any (phone.features) as "sendsSms", 'MMS' = any (phone.features) as "sendsMms",
       (select array_agg(distinct opt_outs.number) from opt_outs where opt_outs.number = any(asked.recipients)
           and opt_outs.account_sid = asked."accountSid" and ((opt_outs.scope_type = 'SenderPhoneNumber' and opt_outs.scope = asked."from")
     or (opt_outs.scope_type = 'TcrCampaign' and opt_outs.scope = config.tcr_campaign_id))) as "optedOut", (select status from accounts where sid = asked."accountSid") as "accountStatus"
  from json_to_recordset($1) as asked ("accountSid" text, "from" text, recipients text[])
  left join phones as phone on phone.number = asked."from" and phone.status <> 'Removed' and phone.account_sid = asked."accountSid"
  left join messaging_configs as config on config.sid = phone.messaging_config_sid
  left join tcr_campaigns as campaign on campaign.tcr_campaign_id = config.tcr_campaign_id;

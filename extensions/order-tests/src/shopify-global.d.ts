declare const shopify: import("@shopify/ui-extensions/customer-account.order-status.block.render").Api;

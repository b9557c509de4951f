declare const shopify: import("@shopify/ui-extensions/admin.order-details.block.render").Api;

declare const shopify: import("@shopify/ui-extensions/purchase.thank-you.block.render").Api;

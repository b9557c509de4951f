declare const shopify: import("@shopify/ui-extensions/customer-account.page.render").Api;

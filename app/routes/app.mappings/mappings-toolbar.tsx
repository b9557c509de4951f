import { useNavigate, useNavigation } from "@remix-run/react";
import { Box, Button, InlineStack } from "@shopify/polaris";
import { SearchField } from "../../components/lists/search-field.tsx";
import { ENVIRONMENT_NAMES } from "../../modules/lifecycle/connection-words.ts";
import { addressOf } from "./address.ts";
import type { MappingsView } from "./present-mappings.ts";
import type { Selection } from "./selection.ts";

/** Search, and which environment is shown when there is more than one. */
export function MappingsToolbar({ view }: { view: MappingsView & { selection: Selection } }) {
  const navigate = useNavigate();
  const isLoading = useNavigation().state === "loading";
  const { selection, environments, environment } = view;
  return (
    <Box padding="300" borderBlockEndWidth="025" borderColor="border">
      <InlineStack gap="300" wrap={false}>
        <Box width="100%">
          <SearchField
            label="Search products"
            placeholder="Search by product, variant or SKU"
            value={selection.search}
            isLoading={isLoading}
            onSearch={(search) =>
              navigate(
                addressOf({ environment: selection.environment, state: selection.state, search }),
                {
                  replace: true,
                },
              )
            }
          />
        </Box>
        {environments.length > 1 && (
          <fieldset className="pathway-plain-group" aria-label="Environment">
            <InlineStack gap="100" wrap={false}>
              {environments.map((one) => (
                <Button
                  key={one}
                  size="large"
                  pressed={one === environment}
                  onClick={() =>
                    navigate(addressOf({ environment: one, search: selection.search }))
                  }
                >
                  {ENVIRONMENT_NAMES[one]}
                </Button>
              ))}
            </InlineStack>
          </fieldset>
        )}
      </InlineStack>
    </Box>
  );
}

import type { ElementRules } from "../../../extensions/element-rules.ts";
import { defineElement, reportViolation, View, type ViewClass } from "../sandbox-element.ts";
import * as actions from "./action-views.ts";
import * as choices from "./choice-views.ts";
import * as feedback from "./feedback-views.ts";
import * as fields from "./field-views.ts";
import * as layout from "./layout-views.ts";
import * as media from "./media-views.ts";
import * as overlays from "./overlay-views.ts";
import * as tables from "./table-views.ts";
import * as texts from "./text-views.ts";

/** Drawn by the element around it: options by their select, markers by their map. */
class Silent extends View {
  update(): void {
    this.root.innerHTML = "<style>:host { display: none }</style>";
  }
}
class Plain extends View {
  update(): void {
    this.root.innerHTML = "<style>:host { display: inline }</style><slot></slot>";
  }
}

const VIEWS: Record<string, ViewClass> = {
  "s-abbreviation": texts.Abbreviation,
  "s-admin-action": layout.Action,
  "s-admin-block": layout.AdminBlock,
  "s-announcement": feedback.Announcement,
  "s-avatar": media.Thumbnail,
  "s-badge": texts.Badge,
  "s-banner": feedback.Banner,
  "s-box": layout.Box,
  "s-button": actions.Button,
  "s-button-group": actions.ButtonGroup,
  "s-chat": media.Chat,
  "s-checkbox": choices.Checkbox,
  "s-chip": texts.Chip,
  "s-choice": choices.Choice,
  "s-choice-list": choices.ChoiceList,
  "s-clickable": actions.Clickable,
  "s-clickable-chip": actions.ClickableChip,
  "s-clipboard-item": actions.ClipboardItem,
  "s-color-field": fields.ColorField,
  "s-color-picker": fields.ColorPicker,
  "s-consent-checkbox": choices.Checkbox,
  "s-consent-phone-field": fields.PhoneField,
  "s-customer-account-action": layout.Action,
  "s-date-field": fields.DateField,
  "s-date-picker": choices.DatePicker,
  "s-details": overlays.Details,
  "s-divider": layout.Divider,
  "s-drop-zone": fields.DropZone,
  "s-email-field": fields.EmailField,
  "s-form": overlays.Form,
  "s-grid": layout.Grid,
  "s-grid-item": layout.GridItem,
  "s-heading": texts.Heading,
  "s-icon": media.Icon,
  "s-image": media.Image,
  "s-image-group": media.ImageGroup,
  "s-link": actions.Link,
  "s-list-item": texts.ListItem,
  "s-login-with-shop": media.LoginWithShop,
  "s-map": media.MapBox,
  "s-map-marker": Silent,
  "s-menu": overlays.Menu,
  "s-modal": overlays.Modal,
  "s-money-field": fields.MoneyField,
  "s-number-field": fields.NumberField,
  "s-option": Silent,
  "s-option-group": Silent,
  "s-ordered-list": texts.OrderedList,
  "s-page": layout.Page,
  "s-paragraph": texts.Paragraph,
  "s-password-field": fields.PasswordField,
  "s-payment-icon": media.PaymentIcon,
  "s-phone-field": fields.PhoneField,
  "s-popover": overlays.Popover,
  "s-press-button": actions.PressButton,
  "s-product-thumbnail": media.Thumbnail,
  "s-progress": feedback.Progress,
  "s-qr-code": media.QrCode,
  "s-query-container": layout.QueryContainer,
  "s-scroll-box": layout.ScrollBox,
  "s-search-field": fields.SearchField,
  "s-section": layout.Section,
  "s-select": fields.Select,
  "s-sheet": overlays.Sheet,
  "s-skeleton-paragraph": feedback.SkeletonParagraph,
  "s-spinner": feedback.Spinner,
  "s-stack": layout.Stack,
  "s-summary": Plain,
  "s-switch": choices.Switch,
  "s-table": tables.Table,
  "s-table-body": tables.TableBody,
  "s-table-cell": tables.TableCell,
  "s-table-header": tables.TableHeader,
  "s-table-header-row": tables.TableHeaderRow,
  "s-table-row": tables.TableRow,
  "s-text": texts.Text,
  "s-text-area": fields.TextArea,
  "s-text-field": fields.TextField,
  "s-thumbnail": media.Thumbnail,
  "s-time": texts.Time,
  "s-tooltip": feedback.Tooltip,
  "s-unordered-list": texts.UnorderedList,
  "s-url-field": fields.UrlField,
};

/** Tags that this page knows how to draw. */

/** Defines every element that the target's types name. A new one of a later version shows its content and is reported. */
export function defineElements(rules: ElementRules): void {
  for (const [tag, rule] of Object.entries(rules)) {
    const view = VIEWS[tag];
    if (!view) reportViolation(`${tag} has no drawing in the sandbox yet`);
    defineElement(tag, rule, view ?? Plain);
  }
}

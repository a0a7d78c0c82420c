// Generated from openapi.json by `npm run generate`. Do not edit.

export type AdditionalPayerInformation = { "availity_eligibility_id"?: string; "availity_payer_id"?: string; "availity_payer_name"?: string; "availity_remittance_payer_id"?: string }

export type Address = { "use": AddressUse; "line": (string)[]; "city": string; "state": string; "administrative_area"?: string; "postal_code": string; "country": string; "county"?: string; "period"?: Period }

export type AddressUse = "HOME" | "WORK" | "TEMP" | "OLD" | "BILLING"

export type AdvancedDirective = "NONE" | "DURABLE_POWER_OF_ATTORNEY" | "LIVING_WILL" | "DO_NOT_RESUSCITATE" | "STANDARD_PRECAUTIONS" | "FALL_RISK"

export type ApiClient = { "client_id": string; "name": string; "scopes": (string)[]; "revoked": boolean; "created_at": string; "previous_secret_expires_at"?: string }

export type ApiClientCredentials = { "client_id": string; "client_secret": string; "organization_id": string }

export type ApiClientScopes = { "scopes": (string)[] }

export type Appointment = { "id": string; "organization_id": string; "deactivated": boolean; "version": number; "updated_at": string; "updating_user_id": string; "patient_id": string; "start_timestamp": string; "status"?: AppointmentStatus; "not_ready_reason"?: NotReadyReason; "ready_source"?: ReadySource; "service_duration": number; "services": (Service)[]; "placer_appointment_id"?: string; "placer_system_name"?: string; "attending_doctor"?: ExternalProvider; "estimated_copay_cents"?: number; "estimated_patient_responsibility_cents"?: number; "patient_deposit_cents"?: number; "appointment_details"?: string; "checked_in_timestamp"?: string; "checked_out_timestamp"?: string; "appointment_reason_detail"?: AppointmentReasonDetail; "medical_necessity_verified"?: boolean; "prior_authorization_status"?: PriorAuthorizationStatus; "notes"?: string; "location_resource_id"?: string; "automated_eligibility_check_complete"?: boolean; "work_queue"?: AppointmentWorkQueue }

export type AppointmentListItem = { "appointment": Appointment; "patient": MutablePatientWithMrn; "primary_coverage"?: MutableCoverage; "secondary_coverage"?: MutableCoverage; "primary_service_type"?: UniversalServiceIdentifier }

export type AppointmentListPage = { "items": (AppointmentListItem)[]; "next_page_token"?: string; "prev_page_token"?: string; "total": number }

export type AppointmentReasonDetail = { "diagnosis_codes"?: (string)[]; "procedure_codes"?: (string)[] }

export type AppointmentStatus = "PENDING" | "NOT_READY" | "READY" | "CHECKED_IN" | "CHECKED_OUT" | "NO_SHOW"

export type AppointmentWorkQueue = "EMERGENT_ISSUE" | "NEW_PATIENT" | "RETURNING_PATIENT" | "MANUAL_ESCALATION"

export type AuditEvent = { "id": string; "at": string; "operation": string; "client_id"?: string; "user_id"?: string; "os_user"?: string; "address"?: string; "status"?: number; "error_name"?: string; "request_id"?: string; "record_type"?: string; "record_ids"?: (string)[]; "version"?: number; "patient_ids"?: (string)[]; "times"?: number; "through"?: number; "user_name"?: string }

export type AuditPage = { "items": (AuditEvent)[]; "next_page_token"?: string }

export type AuthGetTokenRequest = { "client_id": string; "client_secret": string }

export type AuthGetTokenResponse = { "access_token": string; "expires_in": number; "token_type": string }

export type Authorization = { "payer_id": string; "payer_name": string; "additional_payer_information"?: AdditionalPayerInformation; "authorization_number": string; "cpt_code": string; "apply_for_all_cpt_codes"?: boolean; "no_prior_authorization_required"?: boolean; "units": AuthorizationUnit; "quantity"?: number; "period"?: Period; "notes"?: string; "billing_provider_npi"?: string; "service_facility"?: PatientServiceFacility; "dx_codes"?: (string)[] }

export type AuthorizationUnit = "VISIT" | "UNIT"

export type AvailityEligibilityResult = { "id": string; "dateOfService": string; "payerId": string; "providerNPI": string; "dependent"?: string; "status": EligibilityStatus }

export type BatchEligibilityResponse = { "batch_id": string; "submitted_at": string }

export type BenefitType = "DEDUCTIBLE" | "DEDUCTIBLE_CONTRACT" | "DEDUCTIBLE_REMAINING" | "DEDUCTIBLE_YEAR_TO_DATE" | "OOP_MAX" | "OOP_MAX_CONTRACT" | "OOP_MAX_REMAINING" | "OOP_MAX_YEAR_TO_DATE" | "COPAY" | "COINSURANCE" | "NON_COVERED" | "LIMITATION"

export type BenefitsRelatedEntity = { "entityIdentifier"?: string; "entityType"?: string; "entityName"?: string; "contactInformation"?: (RelatedEntityContact)[]; "serviceTypeCodes"?: (ServiceTypeCode)[] }

export type BoardCoverage = { "status": CoverageStatus; "eligibility_checks"?: (EligibilityCheckMetadata)[]; "insurance_plan": { "member_id": string; "payer_name": string }; "latest_eligibility_check"?: { "check_id": string; "status": EligibilityStatus; "initiated_at": string; "errors"?: ({ "description"?: string; "code"?: string })[] }; "benefits"?: { "notes"?: string }; "limits"?: (CoverageLimit)[]; "office_visit_costs"?: ({ "type": BenefitType; "coverageLevel": CoverageLevel; "unit": CoverageValueUnit; "value": number })[] }

export type BoardItem = { "appointment": Appointment; "patient": { "name": HumanName; "birth_date": string; "primary_telecom"?: ContactPoint; "filing_order": FilingOrder; "self_pay"?: boolean; "mrn": string }; "primary_coverage"?: BoardCoverage; "secondary_coverage"?: BoardCoverage; "primary_service_type"?: UniversalServiceIdentifier }

export type BoardItemPage = { "items": (BoardItem)[]; "next_page_token"?: string; "prev_page_token"?: string; "total": number }

export type CanonicalClinicalTrialAssociation = { "id": string; "clinical_trial_arm"?: string; "period"?: Period }

export type CanonicalNonInsurancePayerAssociation = { "id": string; "member_id"?: string; "period"?: Period; "clinical_trial_info"?: (CanonicalClinicalTrialAssociation)[] }

export type CarveOutType = "BEHAVIORAL" | "MEDICAL" | "THERAPY" | "OTHER"

export type CheckEligibilityRequest = { "service_code": ServiceTypeCode; "date_of_service": string; "npi": string }

export type CheckMessages = { "check_id": string; "inquiry"?: string; "response"?: string }

export type Cob = { "classification"?: string; "instance_exists"?: boolean; "primacy_determined"?: boolean; "coverage_overlap"?: boolean; "benefit_overlap"?: boolean }

export type CobAddress = { "address_1"?: string; "address_2"?: string; "city"?: string; "state"?: string; "postal_code"?: string; "country_code"?: string; "country_sub_division_code"?: string }

export type CobDependent = { "first_name": string; "last_name": string; "date_of_birth": string; "ssn"?: string }

export type CobEncounter = { "date_of_service"?: string; "beginning_date_of_service"?: string; "end_date_of_service"?: string }

export type CobPayer = { "name"?: string; "payer_identification"?: string }

export type CobPlanDateInformation = { "plan_begin"?: string; "plan_end"?: string }

export type CobProvider = { "organization_name"?: string; "first_name"?: string; "last_name"?: string; "npi": string }

export type CobResponseDependent = { "member_id"?: string; "first_name"?: string; "last_name"?: string; "middle_name"?: string; "gender"?: string; "date_of_birth"?: string; "ssn"?: string; "group_number"?: string; "birth_sequence_number"?: string; "address"?: CobAddress; "aaa_errors"?: (EligibilityCheckErrorDetails)[]; "relation_to_subscriber"?: string; "relation_to_subscriber_code"?: string }

export type CobResponseProvider = { "provider_name"?: string; "provider_first_name"?: string; "provider_org_name"?: string; "npi"?: string; "aaa_errors"?: (EligibilityCheckErrorDetails)[] }

export type CobResponseSubscriber = { "member_id"?: string; "first_name"?: string; "last_name"?: string; "middle_name"?: string; "gender"?: string; "date_of_birth"?: string; "ssn"?: string; "group_number"?: string; "birth_sequence_number"?: string; "address"?: CobAddress; "aaa_errors"?: (EligibilityCheckErrorDetails)[] }

export type CobSubscriber = { "first_name": string; "last_name": string; "date_of_birth": string; "member_id"?: string; "ssn"?: string }

export type Connector = { "name": string; "kind": string; "is_default": boolean; "public_only": boolean; "created_at": string; "updated_at": string; "settings": { "timeoutMs"?: number; "maxConcurrency"?: number; "retryHours"?: number; "clientId"?: string; "clientSecret"?: string; "url"?: string; "scope"?: string; "submitterId"?: string; "serviceTypeName"?: "serviceType" | "serviceType[]"; "mockScenario"?: string; "pollMs"?: number; "tls"?: { "ca"?: string; "cert"?: string; "key"?: string }; "apiKey"?: string; "authorization"?: "bare" | "Key"; "eligibilityVersion"?: "2026-06-01" | "2024-04-01"; "eligibilityUrl"?: string; "managerUrl"?: string; "payersUrl"?: string; "forwardedFor"?: string; "payerIds"?: Record<string, string>; "form"?: "soap12" | "soap11" | "mime"; "senderId"?: string; "receiverId"?: string; "username"?: string; "password"?: string; "interchange"?: { "senderQualifier"?: string; "senderId"?: string; "receiverQualifier"?: string; "receiverId"?: string; "applicationSender"?: string; "applicationReceiver"?: string }; "usage"?: "P" | "T"; "lineEnding"?: "crlf" | "lf" } }

export type ConnectorSettings = { "settings": { "timeoutMs"?: number; "maxConcurrency"?: number; "retryHours"?: number; "clientId"?: string; "clientSecret"?: string; "url"?: string; "scope"?: string; "submitterId"?: string; "serviceTypeName"?: "serviceType" | "serviceType[]"; "mockScenario"?: string; "pollMs"?: number; "tls"?: { "ca"?: string; "cert"?: string; "key"?: string }; "apiKey"?: string; "authorization"?: "bare" | "Key"; "eligibilityVersion"?: "2026-06-01" | "2024-04-01"; "eligibilityUrl"?: string; "managerUrl"?: string; "payersUrl"?: string; "forwardedFor"?: string; "payerIds"?: Record<string, string>; "form"?: "soap12" | "soap11" | "mime"; "senderId"?: string; "receiverId"?: string; "username"?: string; "password"?: string; "interchange"?: { "senderQualifier"?: string; "senderId"?: string; "receiverQualifier"?: string; "receiverId"?: string; "applicationSender"?: string; "applicationReceiver"?: string }; "usage"?: "P" | "T"; "lineEnding"?: "crlf" | "lf" } }

export type ConnectorSummary = { "name": string; "kind": string; "is_default": boolean; "public_only": boolean; "created_at": string; "updated_at": string }

export type ConnectorTest = { "payer_id"?: string; "npi"?: string }

export type ConnectorTestResult = { "works": boolean; "explanation": string }

export type Contact = { "relationship": (Relationship)[]; "name": HumanName; "telecoms": (ContactPoint)[]; "addresses": (Address)[]; "period"?: Period; "hipaa_authorization"?: boolean }

export type ContactPoint = { "value": string; "use": ContactPointUse; "period"?: Period }

export type ContactPointUse = "HOME" | "WORK" | "TEMP" | "OLD" | "MOBILE"

export type CoordinationOfBenefitsRequest = { "trading_partner_service_id": string; "provider": CobProvider; "subscriber": CobSubscriber; "dependent"?: CobDependent; "encounter": CobEncounter }

export type CoordinationOfBenefitsResponse = { "provider"?: CobResponseProvider; "subscriber"?: CobResponseSubscriber; "dependent"?: CobResponseDependent; "payer"?: CobPayer; "plan_date_information"?: CobPlanDateInformation; "benefits_information"?: (unknown)[]; "errors"?: (EligibilityCheckErrorDetails)[]; "coordination_of_benefits"?: Cob }

export type CopayEstimationRecommendationPayload = { "structured_response"?: number; "exposition": string }

export type CountsResponse = { "not_ready_reason_counts"?: { "INACTIVE_PRIMARY"?: number; "INACTIVE_SECONDARY"?: number; "MEDICARE_ADVANTAGE_CONVERSION"?: number; "MEDICAID_MANAGED_CONVERSION"?: number; "UNAVAILABLE_PRIMARY"?: number; "UNAVAILABLE_SECONDARY"?: number; "PENDING_PRIMARY"?: number; "PENDING_SECONDARY"?: number; "ELIGIBILITY_CHECK_FAILED_PRIMARY"?: number; "ELIGIBILITY_CHECK_FAILED_SECONDARY"?: number; "NEW_COMBO"?: number; "NEW_INSURANCE"?: number; "PRIOR_APPOINTMENT_NOT_READY"?: number; "NO_COVERAGE"?: number; "ERROR"?: number; "MANUAL"?: number } }

export type Coverage = { "id": string; "organization_id": string; "deactivated": boolean; "version": number; "updated_at": string; "updating_user_id": string; "status": CoverageStatus; "subscriber": Subscriber; "relationship": Relationship; "patient": string; "insurance_plan": InsurancePlan; "verified": boolean; "eligibility_checks"?: (EligibilityCheckMetadata)[]; "latest_eligibility_check"?: LatestEligibilityCheck; "benefits"?: CoverageBenefits; "orcon"?: boolean; "auto_update_enabled"?: boolean; "previous_appointment_copays"?: { "MD_Visit"?: number; "Treatment"?: number; "Tests"?: number; "Activity"?: number } }

export type CoverageAssociation = { "id": string; "side": CoverageImageSide }

export type CoverageBenefits = { "plan_coverage"?: PlanCoverage; "service_specific_coverage"?: (ServiceCoverage)[]; "benefits_related_entities"?: (BenefitsRelatedEntity)[]; "non_covered_details"?: (NonCoveredDetail)[]; "notes"?: string; "autoUpdatedEligibilityCheckId"?: string }

export type CoverageCarveOut = { "carve_out": CarveOutType; "member_id": string; "payer_id": string; "payer_name": string; "group_number"?: string; "plan_type"?: NetworkType; "type"?: InsuranceTypeCode; "payer_plan_group_id"?: string }

export type CoverageDetails = { "type": BenefitType; "coverageLevel": CoverageLevel; "unit": CoverageValueUnit; "value": number; "additional_notes"?: string }

export type CoverageEligibilityCheckResponse = { "metadata": EligibilityCheckMetadata; "check"?: EligibilityCheck }

export type CoverageImageSide = "FRONT" | "BACK"

export type CoverageLevel = "EMPLOYEE_AND_CHILDREN" | "EMPLOYEE_ONLY" | "EMPLOYEE_AND_SPOUSE" | "FAMILY" | "INDIVIDUAL"

export type CoverageLimit = { "kind": "COVERAGE" | "OTHER_PAYER" | "SPEND_DOWN" | "IDENTITY" | "CHANGED"; "note": string }

export type CoverageLimits = { "coverage_id": string; "check_id": string; "limits": (CoverageLimit)[] }

export type CoverageStatus = "ACTIVE" | "CANCELLED" | "DRAFT" | "ENTERED_IN_ERROR"

export type CoverageValue = { "family"?: number; "individual"?: number; "employeeAndSpouse"?: number; "employeeAndChildren"?: number }

export type CoverageValueUnit = "PERCENT" | "CURRENCY" | "COUNT"

export type CoveragesForRelatedCauses = { "coverages": (string)[] }

export type CoveragesPage = { "items": (Coverage)[]; "next_page_token"?: string; "prev_page_token"?: string; "total": number }

export type CustomMetadataEntry = { "metadata_schema_id": string; "key_value_pairs": Record<string, unknown> }

export type Dependent = { "name": string }

export type Diagnosis = { "diagnosis_id": string; "name"?: string; "code_type": DiagnosisTypeCode; "code": string; "present_on_admission_indicator"?: YesNoIndicator; "encounter_id": string; "created_at": string; "updated_at": string }

export type DiagnosisNotFoundError = { "diagnosis_id"?: string; "message": string }

export type DiagnosisTypeCode = "ABF" | "ABJ" | "ABK" | "APR" | "BF" | "BJ" | "BK" | "PR" | "DR" | "LOI"

export type DiagnosisUpdate = { "name"?: string; "code_type"?: DiagnosisTypeCode; "code"?: string; "present_on_admission_indicator"?: YesNoIndicator }

export type DisabilityStatus = "DISABLED" | "NON_DISABLED"

export type DisallowMultiplePrimaryDiagnosisError = { "existing_primary_diagnosis_id": string; "new_primary_diagnosis_id": string; "message": string }

export type DoNotInvoiceReason = "BANKRUPTCY" | "DECEASED" | "HARDSHIP" | "OTHER" | "COLLECTIONS" | "BAD_ADDRESS" | "PROFESSIONAL_COURTESY"

export type ElectronicCommunicationConsent = { "text_communication_consent"?: boolean; "email_communication_consent"?: boolean }

export type EligibilityAuditEventType = "APPOINTMENT_STATUS_CHANGED" | "APPOINTMENT_WORK_QUEUE_CHANGED" | "APPOINTMENT_COPAY_UPDATED" | "COVERAGE_CREATED" | "COVERAGE_UPDATED" | "ELIG_CHECK_COMPLETED" | "PATIENT_TAGS_UPDATED"

export type EligibilityCheck = { "batch_id"?: string; "errors"?: (EligibilityCheckError)[]; "request"?: EligibilityRequest; "response"?: unknown; "parsed_response"?: ParsedResponse; "request_corrections"?: (RequestCorrection)[] }

export type EligibilityCheckError = { "source": EligibilityCheckErrorSource; "errorDetails": EligibilityCheckErrorDetails }

export type EligibilityCheckErrorDetails = { "field?"?: string; "field"?: string; "description?"?: string; "description"?: string; "location?"?: string; "location"?: string; "possibleResolutions?"?: string; "possibleResolutions"?: string; "code?"?: string; "code"?: string; "followupAction?"?: string; "followupAction"?: string }

export type EligibilityCheckErrorSource = "CANDID" | "STEDI"

export type EligibilityCheckMetadata = { "check_id": string; "service_code": ServiceTypeCode; "status": EligibilityCheckStatus; "initiated_by": string; "initiated_at": string }

export type EligibilityCheckPage = { "items": (EligibilityCheck)[]; "next_page_token"?: string; "prev_page_token"?: string; "total": number }

export type EligibilityCheckStatus = "COMPLETED" | "FAILED" | "PENDING"

export type EligibilityRecommendation = { "id": string; "organization_id": string; "deactivated": boolean; "version": number; "updated_at": string; "updating_user_id": string; "coverage_id"?: string; "votes"?: (Vote)[]; "eligibility_check_id": string; "patient": EligibilityRecommendationPatientInfo; "recommendation": EligibilityRecommendationPayload }

export type EligibilityRecommendationPatientInfo = { "id"?: string; "mrn"?: string; "organization_id"?: string; "last_name"?: string; "first_name"?: string; "date_of_birth"?: string; "member_id"?: string }

export type EligibilityRecommendationPayload = { "type": "MEDICARE_ADVANTAGE"; "payload": MedicareAdvantageRecommendationPayload } | { "type": "MEDICAID_MANAGED_CARE"; "payload": MedicareAdvantageRecommendationPayload } | { "type": "COORDINATION_OF_BENEFITS"; "payload"?: unknown } | { "type": "COPAY_ESTIMATION"; "payload": CopayEstimationRecommendationPayload } | { "type": "USER_CONFIGURED_PROMPTS"; "payload": UserConfiguredPromptsRecommendationPayload }

export type EligibilityRequest = { "submitter_transaction_identifier"?: string; "payer_id": string; "provider": Provider; "subscriber": MemberInfo; "dependent"?: MemberInfo; "encounter"?: Encounter; "get_existing_check_initiated_after"?: string; "source"?: string; "portal_password"?: string; "portal_username"?: string }

export type EligibilitySource = "STEDI" | "AVAILITY" | "PHONE_AGENT" | "BROWSER_AGENT"

export type EligibilityStatus = "ACTIVE" | "INACTIVE" | "UNKNOWN"

export type EligibilityTimelineEvent = { "id": string; "event_type": EligibilityAuditEventType; "patient_id": string; "coverage_id"?: string; "appointment_id"?: string; "appointment_date"?: string; "timestamp": string; "user_id": string; "user_name": string; "payload": Record<string, unknown> }

export type EligibilityTimelinePage = { "items": (EligibilityTimelineEvent)[]; "next_page_token"?: string; "prev_page_token"?: string; "total": number }

export type Encounter = { "date_of_service"?: string; "service_type_codes"?: (string)[] }

export type EncounterEligibility = { "id": string; "source": EligibilitySource; "dateOfService": string; "payerId": string; "providerNPI": string; "dependent"?: Dependent; "status": EligibilityStatus; "errors": (EligibilityCheckError)[] }

export type EncounterEligibilityRequest = { "encounter_id": string }

export type EncounterEligibilityResponse = { "items": (EncounterEligibility)[] }

export type ErrorBase4Xx = { "message": string; "data"?: unknown }

export type ErrorBase5Xx = { "message": string; "data"?: unknown }

export type Ethnicity = "HISPANIC_OR_LATINO" | "NOT_HISPANIC_OR_LATINO" | "UNKNOWN" | "REFUSED"

export type Event = { "id": string; "number": number; "type": string; "timestamp": string; "data": EventData }

export type EventData = { "organization_id": string; "record_type": string; "id": string; "version"?: number; "link": string; "changed"?: (string)[]; "status"?: string; "not_ready_reason"?: string; "ready_source"?: string; "patient_id"?: string; "coverage_id"?: string; "appointment_id"?: string; "batch_id"?: string; "size"?: number; "reason"?: string }

export type EventPage = { "items": (Event)[]; "last_event_id": string; "has_more": boolean; "is_incomplete": boolean }

export type ExpandedMemberInfo = { "member_id"?: string; "group_number"?: string; "first_name"?: string; "middle_name"?: string; "last_name"?: string; "date_of_birth"?: string; "gender"?: string; "address"?: MemberAddress }

export type ExplainedElement = { "position": string; "name"?: string; "value": string; "meaning"?: string }

export type ExplainedMessage = { "format": "X12" | "OTHER"; "segments"?: (ExplainedSegment)[]; "segments_left_out"?: number; "text"?: string }

export type ExplainedMessages = { "check_id": string; "inquiry"?: ExplainedMessage; "response"?: ExplainedMessage }

export type ExplainedSegment = { "id": string; "name"?: string; "elements": (ExplainedElement)[] }

export type ExternalIdentifier = { "value": string; "system": string; "period"?: Period }

export type ExternalProvenance = { "external_id": string; "system_name": string }

export type ExternalProvider = { "name": HumanName; "type"?: ExternalProviderType; "npi"?: string; "telecoms": (ContactPoint)[]; "addresses"?: (Address)[]; "period"?: Period; "canonical_id"?: string; "fax"?: string; "other_fax_numbers"?: (string)[]; "emails"?: (string)[]; "service_facilities"?: (PatientServiceFacility)[] }

export type ExternalProviderType = "PRIMARY" | "REFERRING" | "ATTENDING"

export type FilingOrder = { "coverages": (string)[] }

export type FindAvailityEligibilityResultsRequest = { "member_id": string; "payer_id": string; "date_of_service": string; "provider_npi": string }

export type FindAvailityEligibilityResultsResponse = { "results": (AvailityEligibilityResult)[] }

export type FoundPatient = { "patient": { "id": string; "name": HumanName; "birth_date": string; "primary_telecom"?: ContactPoint; "mrn": string }; "primary_coverage"?: { "insurance_plan": { "payer_name": string } }; "matched_coverage"?: { "status": CoverageStatus; "insurance_plan": { "member_id": string; "payer_name": string; "period"?: Period } } }

export type FoundPatientPage = { "items": (FoundPatient)[]; "next_page_token"?: string; "prev_page_token"?: string }

export type Gender = "MAN" | "WOMAN" | "NON_BINARY" | "TWO_SPIRIT" | "FEMALE_TO_MALE" | "MALE_TO_FEMALE" | "OTHER" | "UNKNOWN" | "REFUSED"

export type Guarantor = { "name": HumanName; "telecom"?: ContactPoint; "email"?: string; "birth_date"?: string; "address": Address }

export type HealthFinding = { "what": "database" | "checks" | "payers" | "connectors" | "audit trail" | "webhooks" | "storage" | "payer directory"; "state": "ok" | "warning" | "fault"; "says": string }

export type HumanName = { "family": string; "given": (string)[]; "use": NameUse; "period"?: Period; "suffix"?: string }

export type Image = { "id": string; "organization_id": string; "deactivated": boolean; "version": number; "updated_at": string; "updating_user_id": string; "signed_url": string; "file_name": string; "display_name": string; "file_type": string; "status": ImageStatus; "coverage"?: CoverageAssociation; "patient"?: PatientAssociation }

export type ImageSortField = "updatedAt" | "fileName" | "displayName" | "fileType" | "status"

export type ImageStatus = "PENDING" | "UPLOADED" | "FAILED"

export type IndividualProvider = { "first_name"?: string; "last_name"?: string; "npi": string }

export type InferredPatientMetadata = { "inferred_encounter_id": string; "inferred_encounter_latest_date_of_service": string }

export type InsuranceDiscoveryAddress = { "address_1"?: string; "address_2"?: string; "city"?: string; "state"?: string; "postal_code"?: string; "country_code"?: string }

export type InsuranceDiscoveryDependent = { "first_name": string; "last_name": string; "middle_name"?: string; "date_of_birth"?: string; "ssn"?: string; "gender"?: InsuranceDiscoveryGender; "address"?: InsuranceDiscoveryAddress }

export type InsuranceDiscoveryEncounter = { "date_of_service"?: string; "beginning_date_of_service"?: string; "end_date_of_service"?: string }

export type InsuranceDiscoveryGender = "M" | "F"

export type InsuranceDiscoveryProvider = { "npi": string }

export type InsuranceDiscoveryRequest = { "provider": InsuranceDiscoveryProvider; "subscriber": InsuranceDiscoverySubscriber; "dependent"?: InsuranceDiscoveryDependent; "encounter"?: InsuranceDiscoveryEncounter }

export type InsuranceDiscoveryResponse = { "discovery_id"?: string; "status"?: InsuranceDiscoveryStatus; "items"?: (unknown)[]; "coverages_found"?: number; "errors"?: (EligibilityCheckErrorDetails)[] }

export type InsuranceDiscoveryStatus = "PENDING" | "COMPLETE"

export type InsuranceDiscoverySubscriber = { "first_name": string; "last_name": string; "middle_name"?: string; "date_of_birth"?: string; "ssn"?: string; "gender"?: InsuranceDiscoveryGender; "address"?: InsuranceDiscoveryAddress }

export type InsurancePlan = { "member_id": string; "payer_id": string; "payer_name": string; "additional_payer_information"?: AdditionalPayerInformation; "group_number"?: string; "name"?: string; "plan_type"?: NetworkType; "type"?: InsuranceTypeCode; "period"?: Period; "insurance_card_image_locator"?: string; "address"?: Address; "payer_plan_group_id"?: string; "carve_outs"?: (CoverageCarveOut)[] }

export type InsuranceTypeCode = "01" | "12" | "13" | "14" | "15" | "16" | "17" | "18" | "19" | "41" | "42" | "43" | "47" | "AP" | "C1" | "CO" | "CP" | "D" | "DB" | "E" | "EP" | "FF" | "GP" | "HA" | "HB" | "HD" | "HG" | "HM" | "HN" | "HP" | "HS" | "IN" | "IP" | "LC" | "LD" | "LI" | "LT" | "M" | "MA" | "MB" | "MC" | "MD" | "ME" | "MF" | "MH" | "MI" | "MJ" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MR" | "MT" | "MV" | "OA" | "OT" | "PE" | "PL" | "PP" | "PR" | "PS" | "QM" | "RP" | "SP" | "TF" | "U" | "WC" | "WU"

export type InvalidContentTypeErrorType = { "message": string }

export type LatestEligibilityCheck = { "check_id": string; "status": EligibilityStatus; "initiated_at": string; "errors"?: (EligibilityCheckErrorDetails)[]; "request_corrections"?: (RequestCorrection)[]; "trading_partner"?: string }

export type LicenseType = "MD" | "NP" | "PA" | "LMFT" | "LCPC" | "LCSW" | "PMHNP" | "FNP" | "LPCC" | "DO" | "RD" | "SLP" | "APRN" | "LPC" | "PHD" | "PSYD" | "LMSW" | "LMHC" | "OTHER_MASTERS" | "BCBA" | "UNKNOWN" | "RPH" | "PHT" | "LAC" | "LMT" | "DC" | "ND" | "MA" | "PT" | "IBCLC" | "RN" | "DPT" | "LCMHC" | "CNM" | "RNFA" | "ACSW" | "APC" | "BCABA" | "BHA" | "OD" | "DPM" | "DA" | "DDS" | "DEH" | "DMD" | "PTA" | "LCADC" | "LCAT" | "LCMHCS" | "LCMHCA" | "LCSWA" | "LICSW" | "LISW" | "LMFTS" | "LMFTA" | "LPCI" | "LSCSW" | "MHCA" | "MHT" | "RBT" | "RCSWI" | "RHMCI" | "LPN" | "OTD" | "OMS" | "MFTA" | "APCC" | "DNP" | "AGNPBC" | "ANP" | "FNPPP" | "LCSWR" | "ALC" | "RMFTI" | "LAMFT" | "LPCA" | "LSWI" | "CSW" | "CPC" | "LGMFT" | "LLPC" | "PLPC" | "PLMFT" | "LMHCA" | "CIT" | "CT" | "MFT" | "LSW" | "PLMHP" | "PCMSW" | "LMHP" | "OTR/L" | "RPA" | "COTA" | "CRNP" | "SLP-CF" | "NP-C" | "PA-C" | "AMFT" | "CDN" | "CGC" | "CNS" | "MDPHD" | "AuD" | "ATC" | "LAT" | "OTA" | "LSSP" | "SLPA"

export type ListedSession = { "id": string; "user_id": string; "user_name": string; "address": string; "user_agent"?: string; "created_at": string; "last_used_at": string; "expires_at": string; "is_current": boolean }

export type MaritalStatus = "ANNULLED" | "DIVORCED" | "INTERLOCUTORY" | "SEPARATED" | "MARRIED" | "COMMON_LAW" | "POLYGAMOUS" | "DOMESTIC_PARTNER" | "UNMARRIED" | "NEVER_MARRIED" | "WIDOWED" | "UNKNOWN"

export type MedicareAdvantageRecommendationPayload = { "ma_benefit"?: unknown; "payer_id"?: string; "payer_name"?: string; "member_id"?: string }

export type MedicareNumberCorrection = { "property": string; "request_value": string; "corrected_value": string }

export type MedicareNumberPerson = { "first_name": string; "last_name": string; "date_of_birth": string; "ssn": string }

export type MedicareNumberProvider = { "npi": string; "organization_name"?: string; "first_name"?: string; "last_name"?: string }

export type MedicareNumberRequest = { "provider": MedicareNumberProvider; "person": MedicareNumberPerson }

export type MedicareNumberResponse = { "member_id"?: string; "payer_id"?: string; "eligibility_status"?: "ACTIVE" | "INACTIVE" | "UNKNOWN"; "request_corrections"?: (MedicareNumberCorrection)[]; "errors"?: (EligibilityCheckErrorDetails)[] }

export type MemberAddress = { "address1"?: string; "address2"?: string; "city"?: string; "state"?: string; "postal_code"?: string; "country_code"?: string; "country_sub_division_code"?: string }

export type MemberInfo = { "member_id"?: string; "first_name": string; "last_name": string; "date_of_birth"?: string }

export type MetadataField = { "key": string; "type": MetadataFieldType; "enum_values"?: (string)[] }

export type MetadataFieldType = "STRING" | "INTEGER" | "DOUBLE" | "BOOLEAN" | "ENUM"

export type MetadataSchema = { "id": string; "organization_id": string; "deactivated": boolean; "version": number; "updated_at": string; "updating_user_id": string; "name": string; "description"?: string; "fields": (MetadataField)[] }

export type MetadataSchemaPage = { "items": (MetadataSchema)[]; "next_page_token"?: string; "prev_page_token"?: string; "total": number }

export type MutableAppointment = { "patient_id": string; "start_timestamp": string; "status"?: AppointmentStatus; "not_ready_reason"?: NotReadyReason; "ready_source"?: ReadySource; "service_duration": number; "services": (Service)[]; "placer_appointment_id"?: string; "placer_system_name"?: string; "attending_doctor"?: ExternalProvider; "estimated_copay_cents"?: number; "estimated_patient_responsibility_cents"?: number; "patient_deposit_cents"?: number; "appointment_details"?: string; "checked_in_timestamp"?: string; "checked_out_timestamp"?: string; "appointment_reason_detail"?: AppointmentReasonDetail; "medical_necessity_verified"?: boolean; "prior_authorization_status"?: PriorAuthorizationStatus; "notes"?: string; "location_resource_id"?: string; "automated_eligibility_check_complete"?: boolean; "work_queue"?: AppointmentWorkQueue }

export type MutableCoverage = { "status": CoverageStatus; "subscriber": Subscriber; "relationship": Relationship; "patient": string; "insurance_plan": InsurancePlan; "verified": boolean; "eligibility_checks"?: (EligibilityCheckMetadata)[]; "latest_eligibility_check"?: LatestEligibilityCheck; "benefits"?: CoverageBenefits; "orcon"?: boolean; "auto_update_enabled"?: boolean; "previous_appointment_copays"?: { "MD_Visit"?: number; "Treatment"?: number; "Tests"?: number; "Activity"?: number } }

export type MutableImage = { "file_name": string; "display_name": string; "file_type": string; "status": ImageStatus; "coverage"?: CoverageAssociation; "patient"?: PatientAssociation }

export type MutableMetadataSchema = { "name": string; "description"?: string; "fields": (MetadataField)[] }

export type MutableNote = { "value": string; "type"?: NoteType; "author_email"?: string; "author_name"?: string }

export type MutableOrganizationExternalProvider = { "name": HumanName; "types": (OrganizationExternalProviderType)[]; "npi"?: string; "tax_id"?: string; "taxonomy_code"?: string; "phone_number"?: string; "other_phone_numbers"?: (string)[]; "fax_number"?: string; "other_fax_numbers"?: (string)[]; "emails"?: (string)[]; "license_type"?: LicenseType; "addresses"?: (Address)[] }

export type MutablePatient = { "name": HumanName; "other_names": (HumanName)[]; "other_identifiers"?: (ExternalIdentifier)[]; "gender"?: Gender; "birth_date": string; "social_security_number"?: string; "biological_sex": Sex; "sexual_orientation"?: SexualOrientation; "pronouns"?: (string)[]; "race"?: Race; "ethnicity"?: Ethnicity; "disability_status"?: DisabilityStatus; "marital_status"?: MaritalStatus; "deceased"?: string; "multiple_birth"?: number; "primary_address": Address; "other_addresses": (Address)[]; "primary_telecom"?: ContactPoint; "other_telecoms": (ContactPoint)[]; "email"?: string; "electronic_communication_opt_in"?: boolean; "electronic_communication_consent"?: ElectronicCommunicationConsent; "photo"?: string; "language"?: string; "external_provenance"?: ExternalProvenance; "contacts": (Contact)[]; "general_practitioners": (ExternalProvider)[]; "filing_order": FilingOrder; "coverages_for_related_causes"?: CoveragesForRelatedCauses; "non_insurance_payers"?: (string)[]; "non_insurance_payer_associations"?: (CanonicalNonInsurancePayerAssociation)[]; "guarantor"?: Guarantor; "self_pay"?: boolean; "authorizations"?: (Authorization)[]; "referrals"?: (Referral)[]; "primary_service_facility_id"?: string; "service_facilities"?: (PatientServiceFacility)[]; "do_not_invoice_reason"?: DoNotInvoiceReason; "note_ids"?: (string)[]; "tag_ids"?: (string)[]; "origination_detail"?: OriginationDetail; "inferred_patient_metadata"?: InferredPatientMetadata; "orcon"?: boolean; "advanced_directives"?: (AdvancedDirective)[]; "hipaa_code"?: string; "custom_metadata"?: (CustomMetadataEntry)[] }

export type MutablePatientMerge = { "alternative_patient_mrn": string; "primary_patient_mrn": string }

export type MutablePatientWithMrn = { "name": HumanName; "other_names": (HumanName)[]; "other_identifiers"?: (ExternalIdentifier)[]; "gender"?: Gender; "birth_date": string; "social_security_number"?: string; "biological_sex": Sex; "sexual_orientation"?: SexualOrientation; "pronouns"?: (string)[]; "race"?: Race; "ethnicity"?: Ethnicity; "disability_status"?: DisabilityStatus; "marital_status"?: MaritalStatus; "deceased"?: string; "multiple_birth"?: number; "primary_address": Address; "other_addresses": (Address)[]; "primary_telecom"?: ContactPoint; "other_telecoms": (ContactPoint)[]; "email"?: string; "electronic_communication_opt_in"?: boolean; "electronic_communication_consent"?: ElectronicCommunicationConsent; "photo"?: string; "language"?: string; "external_provenance"?: ExternalProvenance; "contacts": (Contact)[]; "general_practitioners": (ExternalProvider)[]; "filing_order": FilingOrder; "coverages_for_related_causes"?: CoveragesForRelatedCauses; "non_insurance_payers"?: (string)[]; "non_insurance_payer_associations"?: (CanonicalNonInsurancePayerAssociation)[]; "guarantor"?: Guarantor; "self_pay"?: boolean; "authorizations"?: (Authorization)[]; "referrals"?: (Referral)[]; "primary_service_facility_id"?: string; "service_facilities"?: (PatientServiceFacility)[]; "do_not_invoice_reason"?: DoNotInvoiceReason; "note_ids"?: (string)[]; "tag_ids"?: (string)[]; "origination_detail"?: OriginationDetail; "inferred_patient_metadata"?: InferredPatientMetadata; "orcon"?: boolean; "advanced_directives"?: (AdvancedDirective)[]; "hipaa_code"?: string; "custom_metadata"?: (CustomMetadataEntry)[]; "mrn": string }

export type MutablePayerRoute = { "connector": string; "connector_payer_id"?: string }

export type MutableTag = { "value": string; "description"?: string; "alert"?: boolean }

export type MutableUser = { "name": string; "role": "front_desk" | "billing" | "administrator" | "read_only"; "disabled": boolean }

export type MutableWebhook = { "url": string; "event_types": (string)[]; "description"?: string; "includes_record"?: boolean; "enabled"?: boolean }

export type NameUse = "USUAL" | "OFFICIAL" | "TEMP" | "NICKNAME" | "ANONYMOUS" | "OLD" | "MAIDEN"

export type NetworkType = "09" | "11" | "12" | "13" | "14" | "15" | "16" | "17" | "AM" | "BL" | "CH" | "CI" | "DS" | "FI" | "HM" | "LM" | "MA" | "MB" | "MC" | "OF" | "TV" | "VA" | "WC" | "ZZ"

export type NewApiClient = { "name": string; "scopes": (string)[] }

export type NewConnector = { "name": string; "kind": "core" | "stedi" | "availity"; "settings": { "timeoutMs"?: number; "maxConcurrency"?: number; "retryHours"?: number; "clientId"?: string; "clientSecret"?: string; "url"?: string; "scope"?: string; "submitterId"?: string; "serviceTypeName"?: "serviceType" | "serviceType[]"; "mockScenario"?: string; "pollMs"?: number; "tls"?: { "ca"?: string; "cert"?: string; "key"?: string }; "apiKey"?: string; "authorization"?: "bare" | "Key"; "eligibilityVersion"?: "2026-06-01" | "2024-04-01"; "eligibilityUrl"?: string; "managerUrl"?: string; "payersUrl"?: string; "forwardedFor"?: string; "payerIds"?: Record<string, string>; "form"?: "soap12" | "soap11" | "mime"; "senderId"?: string; "receiverId"?: string; "username"?: string; "password"?: string; "interchange"?: { "senderQualifier"?: string; "senderId"?: string; "receiverQualifier"?: string; "receiverId"?: string; "applicationSender"?: string; "applicationReceiver"?: string }; "usage"?: "P" | "T"; "lineEnding"?: "crlf" | "lf" } }

export type NewPasskey = { "name": string; "credential": { "id": string; "rawId": string; "type": "public-key"; "authenticatorAttachment"?: string | null; "clientExtensionResults"?: Record<string, unknown>; "response": { "clientDataJSON": string; "attestationObject": string; "authenticatorData"?: string; "transports"?: (string)[]; "publicKey"?: string | null; "publicKeyAlgorithm"?: number } } }

export type NewUser = { "username": string; "name": string; "role": "front_desk" | "billing" | "administrator" | "read_only" }

export type NonCoveredDetail = { "type": BenefitType; "coverageLevel": CoverageLevel; "unit": CoverageValueUnit; "value": number; "additional_notes"?: string; "service_type_codes"?: (ServiceTypeCode)[] }

export type NotReadyReason = "INACTIVE_PRIMARY" | "INACTIVE_SECONDARY" | "MEDICARE_ADVANTAGE_CONVERSION" | "MEDICAID_MANAGED_CONVERSION" | "UNAVAILABLE_PRIMARY" | "UNAVAILABLE_SECONDARY" | "PENDING_PRIMARY" | "PENDING_SECONDARY" | "ELIGIBILITY_CHECK_FAILED_PRIMARY" | "ELIGIBILITY_CHECK_FAILED_SECONDARY" | "NEW_COMBO" | "NEW_INSURANCE" | "PRIOR_APPOINTMENT_NOT_READY" | "NO_COVERAGE" | "ERROR" | "MANUAL"

export type Note = { "id": string; "organization_id": string; "deactivated": boolean; "version": number; "updated_at": string; "updating_user_id": string; "created_at": string; "value": string; "type"?: NoteType; "author_email"?: string; "author_name"?: string }

export type NoteType = "GENERAL" | "ELIGIBILITY"

export type OneTimeCode = { "one_time_code": string }

export type OneTimePassword = { "one_time_password": string }

export type OrganizationExternalProvider = { "id": string; "organization_id": string; "deactivated": boolean; "version": number; "updated_at": string; "updating_user_id": string; "name": HumanName; "types": (OrganizationExternalProviderType)[]; "npi"?: string; "tax_id"?: string; "taxonomy_code"?: string; "phone_number"?: string; "other_phone_numbers"?: (string)[]; "fax_number"?: string; "other_fax_numbers"?: (string)[]; "emails"?: (string)[]; "license_type"?: LicenseType; "addresses"?: (Address)[] }

export type OrganizationExternalProviderPage = { "items": (OrganizationExternalProvider)[]; "next_page_token"?: string; "prev_page_token"?: string; "total": number }

export type OrganizationExternalProviderType = "REFERRING" | "PRIMARY" | "TREATING"

export type OrganizationProvider = { "organization_name"?: string; "npi": string }

export type OriginationDetail = { "referral_source": ReferralSource; "referring_provider"?: ExternalProvider; "specialization_categories"?: (SpecializationCategory)[]; "referral_type"?: ReferralType }

export type ParsedResponse = { "eligibility_status": EligibilityStatus; "plan_metadata"?: PlanMetadata; "benefits"?: CoverageBenefits }

export type Passkey = { "id": string; "name": string; "created_at": string; "last_used_at"?: string }

export type PasskeyName = { "name": string }

export type PasskeySignIn = { "credential": { "id": string; "rawId": string; "type": "public-key"; "authenticatorAttachment"?: string | null; "clientExtensionResults"?: Record<string, unknown>; "response": { "clientDataJSON": string; "authenticatorData": string; "signature": string; "userHandle"?: string | null; "attestationObject"?: string | null } } }

export type PasswordChange = { "current_password": string; "new_password": string }

export type PasswordProof = { "current_password": string }

export type Patient = { "id": string; "organization_id": string; "deactivated": boolean; "version": number; "updated_at": string; "updating_user_id": string; "mrn": string; "name": HumanName; "other_names": (HumanName)[]; "other_identifiers"?: (ExternalIdentifier)[]; "gender"?: Gender; "birth_date": string; "social_security_number"?: string; "biological_sex": Sex; "sexual_orientation"?: SexualOrientation; "pronouns"?: (string)[]; "race"?: Race; "ethnicity"?: Ethnicity; "disability_status"?: DisabilityStatus; "marital_status"?: MaritalStatus; "deceased"?: string; "multiple_birth"?: number; "primary_address": Address; "other_addresses": (Address)[]; "primary_telecom"?: ContactPoint; "other_telecoms": (ContactPoint)[]; "email"?: string; "electronic_communication_opt_in"?: boolean; "electronic_communication_consent"?: ElectronicCommunicationConsent; "photo"?: string; "language"?: string; "external_provenance"?: ExternalProvenance; "contacts": (Contact)[]; "general_practitioners": (ExternalProvider)[]; "filing_order": FilingOrder; "coverages_for_related_causes"?: CoveragesForRelatedCauses; "non_insurance_payers"?: (string)[]; "non_insurance_payer_associations"?: (CanonicalNonInsurancePayerAssociation)[]; "guarantor"?: Guarantor; "self_pay"?: boolean; "authorizations"?: (Authorization)[]; "referrals"?: (Referral)[]; "primary_service_facility_id"?: string; "service_facilities"?: (PatientServiceFacility)[]; "do_not_invoice_reason"?: DoNotInvoiceReason; "note_ids"?: (string)[]; "tag_ids"?: (string)[]; "origination_detail"?: OriginationDetail; "inferred_patient_metadata"?: InferredPatientMetadata; "orcon"?: boolean; "advanced_directives"?: (AdvancedDirective)[]; "hipaa_code"?: string; "custom_metadata"?: (CustomMetadataEntry)[] }

export type PatientAssociation = { "id": string; "notes"?: string }

export type PatientCoverageSnapshot = { "patient": Patient; "primary_coverage"?: Coverage; "secondary_coverage"?: Coverage; "tertiary_coverage"?: Coverage; "coverages_for_related_causes": (Coverage)[] }

export type PatientListItem = { "patient": Patient; "primary_coverage"?: MutableCoverage; "secondary_coverage"?: MutableCoverage; "tertiary_coverage"?: MutableCoverage; "next_appointment"?: MutableAppointment; "primary_mrn"?: string; "alternative_mrns": (string)[] }

export type PatientListPage = { "items": (PatientListItem)[]; "next_page_token"?: string; "prev_page_token"?: string; "total": number }

export type PatientMerge = { "id": string; "organization_id": string; "deactivated": boolean; "version": number; "updated_at": string; "updating_user_id": string; "alternative_patient_mrn": string; "primary_patient_mrn": string }

export type PatientMergePage = { "items": (PatientMerge)[]; "next_page_token"?: string; "prev_page_token"?: string; "total": number }

export type PatientMergeSearchRequest = { "mrns": (string)[]; "limit"?: number; "page_token"?: string }

export type PatientMergeStatus = { "merge_status": "none" } | { "merge_status": "alternative"; "primary_mrn": string } | { "merge_status": "primary"; "alternative_mrns": (string)[] }

export type PatientPage = { "items": (Patient)[]; "next_page_token"?: string; "prev_page_token"?: string; "total": number }

export type PatientServiceFacility = { "service_facility_id": string }

export type PayerPlanGroupFields = { "payer_plan_group_id": string; "payer_id": string; "payer_name": string; "plan_type": NetworkType }

export type PayerRoute = { "payer_id": string; "payer_name"?: string; "connector": string; "connector_payer_id"?: string }

export type PayerSearchResponse = { "items": (StediPayerItem)[]; "stats"?: unknown; "next_page_token"?: string; "prev_page_token"?: string; "total": number }

export type Period = { "start"?: string; "end"?: string }

export type PlanCoverage = { "in_network"?: PlanCoverageDetails; "in_network_flat"?: (CoverageDetails)[]; "out_of_network"?: PlanCoverageDetails; "out_of_network_flat"?: (CoverageDetails)[] }

export type PlanCoverageDetails = { "deductible"?: CoverageValue; "deductible_contract"?: CoverageValue; "deductible_remaining"?: CoverageValue; "deductible_year_to_date"?: CoverageValue; "oop_max"?: CoverageValue; "oop_max_contract"?: CoverageValue; "oop_max_remaining"?: CoverageValue; "oop_max_year_to_date"?: CoverageValue; "additional_notes"?: string }

export type PlanDate = { "start_date": string; "end_date"?: string; "field_name": string }

export type PlanMetadata = { "payer_name"?: string; "insurance_type"?: string; "insurance_type_code"?: string; "plan_name"?: string; "member_id"?: string; "group_number"?: string; "start_date"?: string; "end_date"?: string; "plan_dates"?: (PlanDate)[]; "subscriber"?: ExpandedMemberInfo; "dependent"?: ExpandedMemberInfo; "trading_partner"?: string }

export type PostEligibilityRecommendationRequest = { "eligibility_check_id": string; "patient": EligibilityRecommendationPatientInfo; "recommendation": EligibilityRecommendationPayload }

export type PriorAuthorizationStatus = "NOT_REQUIRED" | "REQUIRED" | "PENDING" | "APPROVED" | "PARTIALLY_APPROVED" | "DENIED" | "EXPIRED"

export type Provider = IndividualProvider | OrganizationProvider

export type Race = "AMERICAN_INDIAN_OR_ALASKA_NATIVE" | "WHITE" | "BLACK" | "ASIAN" | "NATIVE_HAWAIIAN_OR_OTHER_PACIFIC_ISLANDER" | "MIDDLE_EASTERN_OR_NORTH_AFRICAN" | "OTHER" | "UNKNOWN" | "REFUSED"

export type ReadySource = "MANUAL" | "MACHINE"

export type RecoveryCodes = { "recovery_codes": (string)[] }

export type Referral = { "provider": ExternalProvider; "referral_number": string; "period"?: Period; "notes"?: string; "serviceFacility"?: PatientServiceFacility; "units"?: ReferralUnit; "quantity"?: number; "cptCodes"?: (string)[]; "applyForAllCptCodes"?: boolean }

export type ReferralSource = "HOSPITAL" | "REFERRING_MD" | "SELF" | "OTHER"

export type ReferralType = "DIRECTED" | "ROTATION" | "OVERNIGHT"

export type ReferralUnit = "VISIT" | "UNIT"

export type RelatedEntityContact = { "mode"?: string; "value"?: string }

export type Relationship = "SELF" | "SPOUSE" | "CHILD" | "COMMON_LAW_SPOUSE" | "OTHER"

export type ReplayRequest = { "since": string; "until"?: string }

export type ReplayResult = { "deliveries": number }

export type RequestCorrection = { "property": string; "request_value": string; "corrected_value": string }

export type RequestValidationError = { "fieldName": string; "humanReadableMessage"?: string }

export type RotatedSecret = { "secret": string; "previous_secret_expires_at": string }

export type ScopeDescription = { "scope": string; "description": string; "grantable": boolean }

export type SecondFactor = { "enabled": boolean; "recovery_codes_left": number }

export type SecondFactorSecret = { "secret": string; "otpauth_url": string }

export type Service = { "universal_service_identifier"?: UniversalServiceIdentifier; "start_timestamp"?: string }

export type ServiceCoverage = { "service_code": ServiceTypeCode; "in_network"?: ServiceCoverageDetails; "in_network_flat"?: (CoverageDetails)[]; "out_of_network"?: ServiceCoverageDetails; "out_of_network_flat"?: (CoverageDetails)[] }

export type ServiceCoverageDetails = { "copay"?: CoverageValue; "coinsurance"?: CoverageValue; "visits"?: CoverageValue; "visits_remaining"?: CoverageValue; "additional_notes"?: string }

export type ServiceLinesMustHaveAtLeastOneDiagnosisError = { "diagnosis_id": string; "service_line_id": string; "message": string }

export type ServiceTypeCode = "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "10" | "11" | "12" | "13" | "14" | "15" | "16" | "17" | "18" | "19" | "20" | "21" | "22" | "23" | "24" | "25" | "26" | "27" | "28" | "30" | "32" | "33" | "34" | "35" | "36" | "37" | "38" | "39" | "40" | "41" | "42" | "43" | "44" | "45" | "46" | "47" | "48" | "49" | "50" | "51" | "52" | "53" | "54" | "55" | "56" | "57" | "58" | "59" | "60" | "61" | "62" | "63" | "64" | "65" | "66" | "67" | "68" | "69" | "70" | "71" | "72" | "73" | "74" | "75" | "76" | "77" | "78" | "79" | "80" | "81" | "82" | "83" | "84" | "85" | "86" | "87" | "88" | "89" | "90" | "91" | "92" | "93" | "94" | "95" | "96" | "97" | "98" | "99" | "A0" | "A1" | "A2" | "A3" | "A4" | "A5" | "A6" | "A7" | "A8" | "A9" | "AA" | "AB" | "AC" | "AD" | "AE" | "AF" | "AG" | "AH" | "AI" | "AJ" | "AK" | "AL" | "AM" | "AN" | "AO" | "AQ" | "AR" | "B1" | "B2" | "B3" | "BA" | "BB" | "BC" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BK" | "BL" | "BM" | "BN" | "BP" | "BQ" | "BR" | "BS" | "BT" | "BU" | "BV" | "BW" | "BX" | "BY" | "BZ" | "C1" | "CA" | "CB" | "CC" | "CD" | "CE" | "CF" | "CG" | "CH" | "CI" | "CJ" | "CK" | "CL" | "CM" | "CN" | "CO" | "CP" | "CQ" | "DG" | "DM" | "DS" | "GF" | "GN" | "GY" | "IC" | "MH" | "NI" | "ON" | "PT" | "PU" | "RN" | "RT" | "TC" | "TN" | "UC"

export type Session = { "user": { "id": string; "username": string; "name": string; "role": "front_desk" | "billing" | "administrator" | "read_only" }; "organization": { "id": string; "name": string; "time_zone": string; "npi"?: string }; "scopes": (string)[]; "csrf_token": string; "idle_expires_at": string; "expires_at": string; "must_change_password": boolean; "has_password": boolean }

export type Sex = "FEMALE" | "MALE" | "UNKNOWN" | "REFUSED"

export type SexualOrientation = "HETEROSEXUAL" | "HOMOSEXUAL" | "BISEXUAL" | "TWO_SPIRIT" | "OTHER" | "UNKNOWN" | "REFUSED"

export type SignIn = { "username": string; "password": string; "one_time_code"?: string }

export type SignInMethods = { "identity_provider"?: { "name": string; "path": string }; "passkeys"?: { "relying_party": string } }

export type SpecializationCategory = "BEHAVIORAL_HEALTH_THERAPY" | "CARDIOLOGY" | "DERMATOLOGY" | "ENDOCRINOLOGY" | "ENT" | "GASTROENTEROLOGY" | "GENERAL_SURGERY" | "GENETICS" | "HEMATOLOGY" | "INFECTIOUS_DISEASE" | "NEUROLOGY" | "NUTRITIONAL_THERAPY" | "OB_GYN" | "ONCOLOGY" | "OPHTHALMOLOGY" | "ORTHOPEDICS" | "PAIN_MANAGEMENT" | "PEDIATRICS" | "PHYSICAL_THERAPY" | "PODIATRY" | "PRIMARY_CARE" | "PSYCHIATRY" | "PULMONOLOGY" | "RADIOLOGY" | "RHEUMATOLOGY" | "SCREENING" | "UROLOGY" | "OTHER"

export type StandaloneDiagnosisCreate = { "name"?: string; "code_type": DiagnosisTypeCode; "code": string; "present_on_admission_indicator"?: YesNoIndicator; "encounter_id": string }

export type StediPayer = { "stedi_id": string; "display_name": string; "primary_payer_id": string; "aliases": (string)[]; "names": (string)[]; "transaction_support"?: unknown; "employer_identification_numbers"?: (string)[]; "payer_enrollment"?: unknown; "parent_payer_group"?: string; "coverage_types"?: (string)[] }

export type StediPayerItem = { "score": number; "payer": StediPayer }

export type StoredCheck = { "check_id": string; "status": EligibilityCheckStatus; "initiated_at": string; "initiated_by": string; "completed_at"?: string; "payer_id"?: string; "date_of_service"?: string; "eligibility_status"?: EligibilityStatus; "batch_id"?: string; "batch_index"?: number; "coverage_id"?: string; "appointment_id"?: string; "check": EligibilityCheck; "limits"?: (CoverageLimit)[] }

export type StoredCheckSummary = { "check_id": string; "status": EligibilityCheckStatus; "initiated_at": string; "initiated_by": string; "completed_at"?: string; "payer_id"?: string; "date_of_service"?: string; "eligibility_status"?: EligibilityStatus; "batch_id"?: string; "batch_index"?: number; "coverage_id"?: string; "appointment_id"?: string }

export type StoredCheckSummaryPage = { "items": (StoredCheckSummary)[]; "next_page_token"?: string; "prev_page_token"?: string; "total": number }

export type Subscriber = { "name": HumanName; "date_of_birth"?: string; "biological_sex": Sex; "address"?: Address; "employer_name"?: string }

export type SystemHealth = { "findings": (HealthFinding)[]; "versions": { "anteroom": string; "node": string; "postgresql"?: string } }

export type Tag = { "id": string; "organization_id": string; "deactivated": boolean; "version": number; "updated_at": string; "updating_user_id": string; "value": string; "description"?: string; "alert"?: boolean }

export type TagPage = { "items": (Tag)[]; "next_page_token"?: string; "prev_page_token"?: string; "total": number }

export type TooManyRequestsErrorType = { "message": string }

export type UniversalServiceIdentifier = "MD_Visit" | "Treatment" | "Tests" | "Activity"

export type User = { "id": string; "username": string; "name": string; "role": "front_desk" | "billing" | "administrator" | "read_only"; "disabled": boolean; "must_change_password": boolean; "second_factor": boolean; "last_signed_in_at"?: string; "created_at": string }

export type UserConfiguredPromptsRecommendationPayload = { "results": (UserConfiguredPromptsResult)[] }

export type UserConfiguredPromptsResult = { "user_prompt_id": string; "prompt_name": string; "structured_response"?: unknown; "exposition": string }

export type UserName = { "id": string; "name": string }

export type UserWithPassword = { "id": string; "username": string; "name": string; "role": "front_desk" | "billing" | "administrator" | "read_only"; "disabled": boolean; "must_change_password": boolean; "second_factor": boolean; "last_signed_in_at"?: string; "created_at": string; "one_time_password": string }

export type VerificationRules = { "enabled": boolean; "days_ahead": number; "npi"?: string; "visit_services": { "MD_Visit"?: (ServiceTypeCode)[]; "Treatment"?: (ServiceTypeCode)[]; "Tests"?: (ServiceTypeCode)[]; "Activity"?: (ServiceTypeCode)[] }; "auto_update_benefits": boolean }

export type VersionConflictErrorBody = { "message": string; "data"?: unknown; "latest_version"?: number }

export type Visit = { "patient_id": string; "organization_id": string; "patient": MutablePatientWithMrn; "start_time": string; "status": AppointmentStatus; "primary_coverage_status"?: CoverageStatus; "secondary_coverage_status"?: CoverageStatus; "primary_payer_name"?: string; "primary_payer_plan_group_id"?: string; "secondary_payer_name"?: string; "secondary_payer_plan_group_id"?: string }

export type VisitVerification = { "appointment_id": string; "state": "RUNNING" | "WAITING" | "DONE"; "begun_at": string; "next_attempt_at"?: string; "coverages": ({ "coverage_id": string; "check_id"?: string; "finding": "ACTIVE" | "INACTIVE" | "OTHER_PAYER" | "UNKNOWN" | "REJECTED" | "UNUSABLE" })[]; "status": AppointmentStatus; "not_ready_reason"?: NotReadyReason }

export type VisitsPage = { "items": (Visit)[]; "next_page_token"?: string; "prev_page_token"?: string; "total": number }

export type Vote = { "user_id": string; "value": VoteValue }

export type VoteValue = "UPVOTE" | "DOWNVOTE"

export type Webhook = { "id": string; "organization_id": string; "url": string; "event_types": (string)[]; "description"?: string; "includes_record": boolean; "enabled": boolean; "disabled_reason"?: string; "disabled_at"?: string; "failing_since"?: string; "next_attempt_at"?: string; "previous_secret_expires_at"?: string; "created_at": string; "updated_at": string }

export type WebhookDelivery = { "number": number; "event_id": string; "event_type": string; "record_id": string; "status": "PENDING" | "DELIVERED" | "FAILED"; "attempts": number; "due_at"?: string; "first_attempt_at"?: string; "last_attempt_at"?: string; "response_status"?: number; "duration_ms"?: number; "error"?: string }

export type WebhookDeliveryPage = { "items": (WebhookDelivery)[]; "next_page_token"?: string; "prev_page_token"?: string; "total": number }

export type WebhookTestResult = { "delivered": boolean; "response_status"?: number; "duration_ms": number; "error"?: string }

export type WebhookWithSecret = { "id": string; "organization_id": string; "url": string; "event_types": (string)[]; "description"?: string; "includes_record": boolean; "enabled": boolean; "disabled_reason"?: string; "disabled_at"?: string; "failing_since"?: string; "next_attempt_at"?: string; "previous_secret_expires_at"?: string; "created_at": string; "updated_at": string; "secret": string }

export type YesNoIndicator = "YES" | "NO" | "UNKNOWN" | "NOT_APPLICABLE"

/** What each operation takes and what it answers. */
export type Operations = {
  'auth.getToken': { path: Record<never, never>; query: Record<never, never>; body: AuthGetTokenRequest; answer: AuthGetTokenResponse }
  'appointments.create': { path: Record<never, never>; query: { "idempotency_key"?: string }; body: MutableAppointment; answer: Appointment }
  'appointments.getVisits': { path: Record<never, never>; query: { "limit"?: number; "page_token"?: string; "sort_field"?: string; "sort_direction"?: "asc" | "desc"; "filters": string }; body: undefined; answer: VisitsPage }
  'appointments.getCounts': { path: Record<never, never>; query: { "filters": string }; body: undefined; answer: CountsResponse }
  'appointments.get': { path: { "id": string | number }; query: Record<never, never>; body: undefined; answer: Appointment }
  'appointments.getHistory': { path: { "id": string | number }; query: Record<never, never>; body: undefined; answer: (Appointment)[] }
  'appointments.update': { path: { "id": string | number; "version": string | number }; query: Record<never, never>; body: MutableAppointment; answer: Appointment }
  'appointments.deactivate': { path: { "id": string | number; "version": string | number }; query: Record<never, never>; body: undefined; answer: undefined }
  'appointments.scan': { path: Record<never, never>; query: { "since": string }; body: undefined; answer: (Appointment)[] }
  'eligibilityChecks.coordinationOfBenefits': { path: Record<never, never>; query: Record<never, never>; body: CoordinationOfBenefitsRequest; answer: CoordinationOfBenefitsResponse }
  'coverages.create': { path: Record<never, never>; query: { "idempotency_key"?: string }; body: MutableCoverage; answer: Coverage }
  'coverages.getMulti': { path: Record<never, never>; query: { "patient_id"?: string }; body: undefined; answer: (Coverage)[] }
  'coverages.update': { path: { "id": string | number; "version": string | number }; query: Record<never, never>; body: MutableCoverage; answer: Coverage }
  'coverages.getMultiPaginated': { path: Record<never, never>; query: { "limit"?: number; "page_token"?: string; "patient_id"?: string; "payer_plan_group_id"?: string }; body: undefined; answer: CoveragesPage }
  'coverages.get': { path: { "id": string | number }; query: Record<never, never>; body: undefined; answer: Coverage }
  'coverages.getHistory': { path: { "id": string | number }; query: { "start"?: string; "end"?: string; "non_auto_updated_coverages_only"?: boolean; "sort_direction"?: "asc" | "desc"; "limit"?: number }; body: undefined; answer: (Coverage)[] }
  'coverages.scan': { path: Record<never, never>; query: { "since": string }; body: undefined; answer: (Coverage)[] }
  'coverages.batchUpdatePpg': { path: { "ppg_id": string | number }; query: Record<never, never>; body: PayerPlanGroupFields; answer: undefined }
  'coverages.checkEligibility': { path: { "id": string | number }; query: Record<never, never>; body: CheckEligibilityRequest; answer: EligibilityCheckMetadata }
  'coverages.getEligibility': { path: { "id": string | number; "check_id": string | number }; query: Record<never, never>; body: undefined; answer: CoverageEligibilityCheckResponse }
  'diagnoses.create': { path: Record<never, never>; query: Record<never, never>; body: StandaloneDiagnosisCreate; answer: Diagnosis }
  'diagnoses.update': { path: { "diagnosis_id": string | number }; query: Record<never, never>; body: DiagnosisUpdate; answer: Diagnosis }
  'diagnoses.delete': { path: { "diagnosis_id": string | number }; query: Record<never, never>; body: undefined; answer: undefined }
  'eligibility.submitEligibilityCheckAvaility': { path: { "partner": string | number }; query: Record<never, never>; body: undefined; answer: unknown }
  'eligibility.submitEligibilityCheckAvailityPost': { path: { "partner": string | number }; query: Record<never, never>; body: undefined; answer: unknown }
  'eligibility.findAvailityEligibilityResults': { path: Record<never, never>; query: Record<never, never>; body: FindAvailityEligibilityResultsRequest; answer: FindAvailityEligibilityResultsResponse }
  'eligibilityChecks.post': { path: Record<never, never>; query: Record<never, never>; body: EligibilityRequest; answer: EligibilityCheck }
  'eligibilityChecks.batch': { path: Record<never, never>; query: { "idempotency_key"?: string }; body: (EligibilityRequest)[]; answer: BatchEligibilityResponse }
  'eligibilityChecks.pollBatch': { path: { "batch_id": string | number }; query: { "page_token"?: string }; body: undefined; answer: EligibilityCheckPage }
  'eligibilityChecks.payerSearch': { path: Record<never, never>; query: { "query"?: string; "page_size"?: number; "page_token"?: string }; body: undefined; answer: PayerSearchResponse }
  'eligibilityChecks.getMulti': { path: Record<never, never>; query: { "limit"?: number; "page_token"?: string; "subscriber_member_id"?: string; "payer_id"?: string; "provider_npi"?: string; "date_of_service"?: string; "initiated_at_min"?: string; "initiated_at_max"?: string }; body: undefined; answer: EligibilityCheckPage }
  'eligibilityChecks.encounterEligibility': { path: Record<never, never>; query: { "encounter_id": string }; body: undefined; answer: EncounterEligibilityResponse }
  'eligibilityChecks.createEncounterEligibility': { path: Record<never, never>; query: Record<never, never>; body: EncounterEligibilityRequest; answer: EncounterEligibility }
  'eligibilityRecommendations.getLatest': { path: Record<never, never>; query: { "filters"?: string; "type"?: "MEDICARE_ADVANTAGE" | "MEDICAID_MANAGED_CARE" | "COORDINATION_OF_BENEFITS" | "COPAY_ESTIMATION" | "USER_CONFIGURED_PROMPTS" }; body: undefined; answer: (EligibilityRecommendation)[] }
  'eligibilityRecommendations.create': { path: Record<never, never>; query: { "idempotency_key"?: string }; body: PostEligibilityRecommendationRequest; answer: EligibilityRecommendation }
  'eligibilityRecommendations.vote': { path: { "recommendation_id": string | number; "version": string | number }; query: Record<never, never>; body: Vote; answer: EligibilityRecommendation }
  'images.create': { path: Record<never, never>; query: { "idempotency_key"?: string }; body: MutableImage; answer: Image }
  'images.getMulti': { path: Record<never, never>; query: { "patient_id"?: string; "coverage_id"?: string; "file_type"?: string; "patient_notes"?: string; "sort_field"?: ImageSortField; "sort_direction"?: "asc" | "desc" }; body: undefined; answer: (Image)[] }
  'images.get': { path: { "id": string | number }; query: Record<never, never>; body: undefined; answer: Image }
  'images.update': { path: { "id": string | number; "version": string | number }; query: Record<never, never>; body: MutableImage; answer: Image }
  'images.deactivate': { path: { "id": string | number; "version": string | number }; query: Record<never, never>; body: undefined; answer: undefined }
  'eligibilityChecks.insuranceDiscovery': { path: Record<never, never>; query: Record<never, never>; body: InsuranceDiscoveryRequest; answer: InsuranceDiscoveryResponse }
  'lists.getPatientList': { path: Record<never, never>; query: { "limit"?: number; "page_token"?: string; "sort_field"?: string; "sort_direction"?: "asc" | "desc"; "filters"?: string; "include_deactivated"?: boolean; "redirect_to_primary"?: boolean; "hide_alternatives"?: boolean }; body: undefined; answer: PatientListPage }
  'lists.getAppointmentList': { path: Record<never, never>; query: { "limit"?: number; "page_token"?: string; "sort_field"?: string; "sort_direction"?: "asc" | "desc"; "filters"?: string; "include_deactivated"?: boolean; "include_merged_patient_data"?: boolean }; body: undefined; answer: AppointmentListPage }
  'metadataSchemas.get': { path: { "id": string | number }; query: Record<never, never>; body: undefined; answer: MetadataSchema }
  'metadataSchemas.getAll': { path: Record<never, never>; query: { "limit"?: number; "page_token"?: string; "filters"?: string }; body: undefined; answer: MetadataSchemaPage }
  'metadataSchemas.create': { path: Record<never, never>; query: { "idempotency_key"?: string }; body: MutableMetadataSchema; answer: MetadataSchema }
  'metadataSchemas.update': { path: { "id": string | number; "version": string | number }; query: Record<never, never>; body: MutableMetadataSchema; answer: MetadataSchema }
  'metadataSchemas.deactivate': { path: { "id": string | number; "version": string | number }; query: Record<never, never>; body: undefined; answer: undefined }
  'metadataSchemas.reactivate': { path: { "id": string | number; "version": string | number }; query: Record<never, never>; body: undefined; answer: undefined }
  'notes.get': { path: { "id": string | number }; query: Record<never, never>; body: undefined; answer: Note }
  'notes.create': { path: Record<never, never>; query: { "idempotency_key"?: string }; body: MutableNote; answer: Note }
  'notes.update': { path: { "id": string | number; "version": string | number }; query: Record<never, never>; body: MutableNote; answer: Note }
  'notes.deactivate': { path: { "id": string | number; "version": string | number }; query: Record<never, never>; body: undefined; answer: undefined }
  'organizationExternalProviders.get': { path: { "id": string | number }; query: Record<never, never>; body: undefined; answer: OrganizationExternalProvider }
  'organizationExternalProviders.getMulti': { path: Record<never, never>; query: { "limit"?: number; "page_token"?: string; "sort_field"?: string; "sort_direction"?: "asc" | "desc"; "npi"?: string; "type"?: OrganizationExternalProviderType; "first_name"?: string; "last_name"?: string }; body: undefined; answer: OrganizationExternalProviderPage }
  'organizationExternalProviders.create': { path: Record<never, never>; query: { "idempotency_key"?: string }; body: MutableOrganizationExternalProvider; answer: OrganizationExternalProvider }
  'organizationExternalProviders.update': { path: { "id": string | number; "version": string | number }; query: Record<never, never>; body: MutableOrganizationExternalProvider; answer: OrganizationExternalProvider }
  'organizationExternalProviders.deactivate': { path: { "id": string | number; "version": string | number }; query: Record<never, never>; body: undefined; answer: undefined }
  'organizationExternalProviders.scan': { path: Record<never, never>; query: { "since": string; "maxResults"?: number }; body: undefined; answer: (OrganizationExternalProvider)[] }
  'patientMerges.create': { path: Record<never, never>; query: Record<never, never>; body: MutablePatientMerge; answer: PatientMerge }
  'patientMerges.getStatus': { path: { "mrn_or_id": string | number }; query: Record<never, never>; body: undefined; answer: PatientMergeStatus }
  'patientMerges.getAllByMrn': { path: { "mrn": string | number }; query: Record<never, never>; body: undefined; answer: (PatientMerge)[] }
  'patientMerges.deactivate': { path: { "id": string | number; "version": string | number }; query: Record<never, never>; body: undefined; answer: undefined }
  'patientMerges.scan': { path: Record<never, never>; query: { "since": string; "maxResults"?: number }; body: undefined; answer: (PatientMerge)[] }
  'patientMerges.search': { path: Record<never, never>; query: Record<never, never>; body: PatientMergeSearchRequest; answer: PatientMergePage }
  'patients.create': { path: Record<never, never>; query: { "idempotency_key"?: string; "skip_duplicate_check"?: boolean }; body: MutablePatient; answer: Patient }
  'patients.search': { path: Record<never, never>; query: { "mrn"?: string; "similar_name_ordering"?: string }; body: undefined; answer: (Patient)[] }
  'patients.createWithMrn': { path: Record<never, never>; query: { "idempotency_key"?: string; "skip_duplicate_check"?: boolean }; body: MutablePatientWithMrn; answer: Patient }
  'patients.getMulti': { path: Record<never, never>; query: { "limit"?: number; "page_token"?: string; "mrn"?: string; "sort_field"?: string; "sort_direction"?: "asc" | "desc"; "redirect_to_primary"?: boolean }; body: undefined; answer: PatientPage }
  'patients.searchProviders': { path: Record<never, never>; query: { "search_criteria": string }; body: undefined; answer: (ExternalProvider)[] }
  'patients.get': { path: { "id": string | number }; query: Record<never, never>; body: undefined; answer: Patient }
  'patients.getByMrn': { path: { "mrn": string | number }; query: Record<never, never>; body: undefined; answer: Patient }
  'patients.getHistory': { path: { "id": string | number }; query: Record<never, never>; body: undefined; answer: (Patient)[] }
  'patients.getCoverageSnapshot': { path: { "id": string | number }; query: { "date"?: string }; body: undefined; answer: PatientCoverageSnapshot }
  'patients.getEligibilityTimeline': { path: { "id": string | number }; query: { "limit"?: number; "page_token"?: string; "event_types"?: (EligibilityAuditEventType)[]; "coverage_id"?: string; "appointment_id"?: string }; body: undefined; answer: EligibilityTimelinePage }
  'patients.update': { path: { "id": string | number; "version": string | number }; query: Record<never, never>; body: MutablePatient; answer: Patient }
  'patients.deactivate': { path: { "id": string | number; "version": string | number }; query: Record<never, never>; body: undefined; answer: undefined }
  'patients.reactivate': { path: { "id": string | number; "version": string | number }; query: Record<never, never>; body: undefined; answer: undefined }
  'patients.scan': { path: Record<never, never>; query: { "since": string; "maxResults"?: number }; body: undefined; answer: (Patient)[] }
  'tags.get': { path: { "id": string | number }; query: Record<never, never>; body: undefined; answer: Tag }
  'tags.getAll': { path: Record<never, never>; query: { "limit"?: number; "page_token"?: string }; body: undefined; answer: TagPage }
  'tags.create': { path: Record<never, never>; query: Record<never, never>; body: MutableTag; answer: Tag }
  'tags.update': { path: { "id": string | number; "version": string | number }; query: Record<never, never>; body: MutableTag; answer: Tag }
  'tags.deactivate': { path: { "id": string | number; "version": string | number }; query: Record<never, never>; body: undefined; answer: undefined }
  'storedChecks.getMulti': { path: Record<never, never>; query: { "limit"?: number; "page_token"?: string; "subscriber_member_id"?: string; "payer_id"?: string; "provider_npi"?: string; "date_of_service"?: string; "initiated_at_min"?: string; "initiated_at_max"?: string; "batch_id"?: string }; body: undefined; answer: StoredCheckSummaryPage }
  'storedChecks.get': { path: { "id": string | number }; query: Record<never, never>; body: undefined; answer: StoredCheck }
  'storedChecks.getMessages': { path: { "id": string | number }; query: Record<never, never>; body: undefined; answer: CheckMessages }
  'storedChecks.explainMessages': { path: { "id": string | number }; query: Record<never, never>; body: undefined; answer: ExplainedMessages }
  'storedChecks.getBenefitSheet': { path: { "id": string | number }; query: Record<never, never>; body: undefined; answer: undefined }
  'visitVerification.begin': { path: { "id": string | number }; query: Record<never, never>; body: undefined; answer: VisitVerification }
  'visitVerification.get': { path: { "id": string | number }; query: Record<never, never>; body: undefined; answer: VisitVerification }
  'coverageLimits.getMulti': { path: Record<never, never>; query: { "ids": (string)[] }; body: undefined; answer: (CoverageLimits)[] }
  'board.getVisits': { path: Record<never, never>; query: { "limit"?: number; "page_token"?: string; "sort_field"?: string; "sort_direction"?: "asc" | "desc"; "filters"?: string; "include_deactivated"?: boolean; "include_merged_patient_data"?: boolean }; body: undefined; answer: BoardItemPage }
  'patientSearch.find': { path: Record<never, never>; query: { "limit"?: number; "page_token"?: string; "sort_field"?: string; "sort_direction"?: "asc" | "desc"; "filters"?: string; "include_deactivated"?: boolean; "redirect_to_primary"?: boolean; "hide_alternatives"?: boolean; "family_begins"?: string; "given_begins"?: string; "telephone"?: string; "member_id"?: string }; body: undefined; answer: FoundPatientPage }
  'eligibilityChecks.lookUpMedicareNumber': { path: Record<never, never>; query: Record<never, never>; body: MedicareNumberRequest; answer: MedicareNumberResponse }
  'audit.getMulti': { path: Record<never, never>; query: { "patient_id"?: string; "patients_only"?: boolean; "user_id"?: string; "operation"?: string; "from"?: string; "to"?: string; "limit"?: number; "page_token"?: string }; body: undefined; answer: AuditPage }
  'events.getMulti': { path: Record<never, never>; query: { "after"?: string; "event_types"?: (string)[]; "heartbeat"?: boolean }; body: undefined; answer: EventPage }
  'webhooks.getMulti': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: (Webhook)[] }
  'webhooks.create': { path: Record<never, never>; query: Record<never, never>; body: MutableWebhook; answer: WebhookWithSecret }
  'webhooks.get': { path: { "webhook_id": string | number }; query: Record<never, never>; body: undefined; answer: Webhook }
  'webhooks.update': { path: { "webhook_id": string | number }; query: Record<never, never>; body: MutableWebhook; answer: Webhook }
  'webhooks.remove': { path: { "webhook_id": string | number }; query: Record<never, never>; body: undefined; answer: undefined }
  'webhooks.rotateSecret': { path: { "webhook_id": string | number }; query: Record<never, never>; body: undefined; answer: RotatedSecret }
  'webhooks.test': { path: { "webhook_id": string | number }; query: Record<never, never>; body: undefined; answer: WebhookTestResult }
  'webhooks.getDeliveries': { path: { "webhook_id": string | number }; query: { "limit"?: number; "page_token"?: string; "status"?: "PENDING" | "DELIVERED" | "FAILED" }; body: undefined; answer: WebhookDeliveryPage }
  'webhooks.replayDelivery': { path: { "webhook_id": string | number; "number": string | number }; query: Record<never, never>; body: undefined; answer: WebhookDelivery }
  'webhooks.replay': { path: { "webhook_id": string | number }; query: Record<never, never>; body: ReplayRequest; answer: ReplayResult }
  'users.getMulti': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: (User)[] }
  'users.create': { path: Record<never, never>; query: Record<never, never>; body: NewUser; answer: UserWithPassword }
  'users.update': { path: { "user_id": string | number }; query: Record<never, never>; body: MutableUser; answer: User }
  'users.resetPassword': { path: { "user_id": string | number }; query: Record<never, never>; body: undefined; answer: OneTimePassword }
  'users.resetSecondFactor': { path: { "user_id": string | number }; query: Record<never, never>; body: undefined; answer: undefined }
  'userNames.getMulti': { path: Record<never, never>; query: { "ids": (string)[] }; body: undefined; answer: (UserName)[] }
  'apiClients.getMulti': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: (ApiClient)[] }
  'apiClients.create': { path: Record<never, never>; query: Record<never, never>; body: NewApiClient; answer: ApiClientCredentials }
  'apiClients.getScopes': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: (ScopeDescription)[] }
  'apiClients.update': { path: { "client_id": string | number }; query: Record<never, never>; body: ApiClientScopes; answer: ApiClient }
  'apiClients.rotateSecret': { path: { "client_id": string | number }; query: Record<never, never>; body: undefined; answer: ApiClientCredentials }
  'apiClients.revoke': { path: { "client_id": string | number }; query: Record<never, never>; body: undefined; answer: ApiClient }
  'connectors.getMulti': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: (ConnectorSummary)[] }
  'connectors.create': { path: Record<never, never>; query: Record<never, never>; body: NewConnector; answer: Connector }
  'connectors.get': { path: { "connector": string | number }; query: Record<never, never>; body: undefined; answer: Connector }
  'connectors.update': { path: { "connector": string | number }; query: Record<never, never>; body: ConnectorSettings; answer: Connector }
  'connectors.remove': { path: { "connector": string | number }; query: Record<never, never>; body: undefined; answer: undefined }
  'connectors.test': { path: { "connector": string | number }; query: Record<never, never>; body: ConnectorTest; answer: ConnectorTestResult }
  'payerRoutes.getMulti': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: (PayerRoute)[] }
  'payerRoutes.set': { path: { "payer_id": string | number }; query: Record<never, never>; body: MutablePayerRoute; answer: PayerRoute }
  'payerRoutes.remove': { path: { "payer_id": string | number }; query: Record<never, never>; body: undefined; answer: undefined }
  'verificationRules.get': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: VerificationRules }
  'verificationRules.update': { path: Record<never, never>; query: Record<never, never>; body: VerificationRules; answer: VerificationRules }
  'systemHealth.get': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: SystemHealth }
  'session.create': { path: Record<never, never>; query: Record<never, never>; body: SignIn; answer: Session }
  'session.get': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: Session }
  'session.remove': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: undefined }
  'session.changePassword': { path: Record<never, never>; query: Record<never, never>; body: PasswordChange; answer: Session }
  'sessions.getMulti': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: (ListedSession)[] }
  'sessions.remove': { path: { "session_id": string | number }; query: Record<never, never>; body: undefined; answer: undefined }
  'session.methods': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: SignInMethods }
  'secondFactor.get': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: SecondFactor }
  'secondFactor.create': { path: Record<never, never>; query: Record<never, never>; body: PasswordProof; answer: SecondFactorSecret }
  'secondFactor.confirm': { path: Record<never, never>; query: Record<never, never>; body: OneTimeCode; answer: RecoveryCodes }
  'secondFactor.renewRecoveryCodes': { path: Record<never, never>; query: Record<never, never>; body: PasswordProof; answer: RecoveryCodes }
  'secondFactor.remove': { path: Record<never, never>; query: Record<never, never>; body: PasswordProof; answer: undefined }
  'passkeys.getMulti': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: (Passkey)[] }
  'passkeys.create': { path: Record<never, never>; query: Record<never, never>; body: NewPasskey; answer: Passkey }
  'passkeys.begin': { path: Record<never, never>; query: Record<never, never>; body: PasswordProof; answer: Record<string, unknown> }
  'passkeys.update': { path: { "passkey_id": string | number }; query: Record<never, never>; body: PasskeyName; answer: Passkey }
  'passkeys.remove': { path: { "passkey_id": string | number }; query: Record<never, never>; body: PasswordProof; answer: undefined }
  'session.challenge': { path: Record<never, never>; query: Record<never, never>; body: undefined; answer: Record<string, unknown> }
  'session.createByPasskey': { path: Record<never, never>; query: Record<never, never>; body: PasskeySignIn; answer: Session }
}

export const addresses: { readonly [Name in keyof Operations]: readonly [method: string, path: string, scope: string] } = {
  'auth.getToken': ['POST', '/api/auth/v2/token', ''],
  'appointments.create': ['POST', '/appointments/v1', 'appointments:write'],
  'appointments.getVisits': ['GET', '/appointments/v1/visits', 'appointments:read'],
  'appointments.getCounts': ['GET', '/appointments/v1/visits/counts', 'appointments:read'],
  'appointments.get': ['GET', '/appointments/v1/{id}', 'appointments:read'],
  'appointments.getHistory': ['GET', '/appointments/v1/{id}/history', 'appointments:read'],
  'appointments.update': ['PUT', '/appointments/v1/{id}/{version}', 'appointments:write'],
  'appointments.deactivate': ['DELETE', '/appointments/v1/{id}/{version}', 'appointments:write'],
  'appointments.scan': ['GET', '/appointments/v1/updates/scan', 'appointments:read'],
  'eligibilityChecks.coordinationOfBenefits': ['POST', '/eligibility-checks/v1/coordination-of-benefits', 'eligibility-checks:write'],
  'coverages.create': ['POST', '/coverages/v1', 'coverages:write'],
  'coverages.getMulti': ['GET', '/coverages/v1', 'coverages:read'],
  'coverages.update': ['PUT', '/coverages/v1/{id}/{version}', 'coverages:write'],
  'coverages.getMultiPaginated': ['GET', '/coverages/v1/get-multi-paginated', 'coverages:read'],
  'coverages.get': ['GET', '/coverages/v1/{id}', 'coverages:read'],
  'coverages.getHistory': ['GET', '/coverages/v1/{id}/history', 'coverages:read'],
  'coverages.scan': ['GET', '/coverages/v1/updates/scan', 'coverages:read'],
  'coverages.batchUpdatePpg': ['POST', '/coverages/v1/batch-update-ppg/{ppg_id}', 'coverages:write'],
  'coverages.checkEligibility': ['POST', '/coverages/v1/{id}/eligibility', 'coverages:write'],
  'coverages.getEligibility': ['GET', '/coverages/v1/{id}/eligibility/{check_id}', 'coverages:read'],
  'diagnoses.create': ['POST', '/api/diagnoses/v2', 'diagnoses:write'],
  'diagnoses.update': ['PATCH', '/api/diagnoses/v2/{diagnosis_id}', 'diagnoses:write'],
  'diagnoses.delete': ['DELETE', '/api/diagnoses/v2/{diagnosis_id}', 'diagnoses:write'],
  'eligibility.submitEligibilityCheckAvaility': ['GET', '/api/eligibility/v2/{partner}', 'eligibility:write'],
  'eligibility.submitEligibilityCheckAvailityPost': ['POST', '/api/eligibility/v2/{partner}', 'eligibility:write'],
  'eligibility.findAvailityEligibilityResults': ['POST', '/api/eligibility/v2/existing-checks', 'eligibility:read'],
  'eligibilityChecks.post': ['POST', '/eligibility-checks/v1', 'eligibility-checks:write'],
  'eligibilityChecks.batch': ['POST', '/eligibility-checks/v1/batch', 'eligibility-checks:write'],
  'eligibilityChecks.pollBatch': ['GET', '/eligibility-checks/v1/batch/{batch_id}', 'eligibility-checks:read'],
  'eligibilityChecks.payerSearch': ['GET', '/eligibility-checks/v1/payer/search', 'eligibility-checks:read'],
  'eligibilityChecks.getMulti': ['GET', '/eligibility-checks/v1/get-multi', 'eligibility-checks:read'],
  'eligibilityChecks.encounterEligibility': ['GET', '/eligibility-checks/v1/encounter_eligibility', 'eligibility-checks:read'],
  'eligibilityChecks.createEncounterEligibility': ['POST', '/eligibility-checks/v1/eligibility', 'eligibility-checks:write'],
  'eligibilityRecommendations.getLatest': ['GET', '/eligibility-checks/v1/recommendation', 'eligibility-checks:read'],
  'eligibilityRecommendations.create': ['POST', '/eligibility-checks/v1/recommendation', 'eligibility-checks:write'],
  'eligibilityRecommendations.vote': ['PUT', '/eligibility-checks/v1/recommendation/{recommendation_id}/{version}/vote', 'eligibility-checks:write'],
  'images.create': ['POST', '/images/v1', 'images:write'],
  'images.getMulti': ['GET', '/images/v1', 'images:read'],
  'images.get': ['GET', '/images/v1/{id}', 'images:read'],
  'images.update': ['PUT', '/images/v1/{id}/{version}', 'images:write'],
  'images.deactivate': ['DELETE', '/images/v1/{id}/{version}', 'images:write'],
  'eligibilityChecks.insuranceDiscovery': ['POST', '/eligibility-checks/v1/insurance-discovery', 'eligibility-checks:write'],
  'lists.getPatientList': ['GET', '/lists/v1/patient', 'lists:read'],
  'lists.getAppointmentList': ['GET', '/lists/v1/appointment', 'lists:read'],
  'metadataSchemas.get': ['GET', '/metadata-schemas/v1/{id}', 'metadata-schemas:read'],
  'metadataSchemas.getAll': ['GET', '/metadata-schemas/v1', 'metadata-schemas:read'],
  'metadataSchemas.create': ['POST', '/metadata-schemas/v1', 'metadata-schemas:write'],
  'metadataSchemas.update': ['PUT', '/metadata-schemas/v1/{id}/{version}', 'metadata-schemas:write'],
  'metadataSchemas.deactivate': ['DELETE', '/metadata-schemas/v1/{id}/{version}', 'metadata-schemas:write'],
  'metadataSchemas.reactivate': ['PATCH', '/metadata-schemas/v1/{id}/{version}', 'metadata-schemas:write'],
  'notes.get': ['GET', '/notes/v1/{id}', 'notes:read'],
  'notes.create': ['POST', '/notes/v1', 'notes:write'],
  'notes.update': ['PUT', '/notes/v1/{id}/{version}', 'notes:write'],
  'notes.deactivate': ['DELETE', '/notes/v1/{id}/{version}', 'notes:write'],
  'organizationExternalProviders.get': ['GET', '/organization-external-providers/v1/{id}', 'organization-external-providers:read'],
  'organizationExternalProviders.getMulti': ['GET', '/organization-external-providers/v1', 'organization-external-providers:read'],
  'organizationExternalProviders.create': ['POST', '/organization-external-providers/v1', 'organization-external-providers:write'],
  'organizationExternalProviders.update': ['PUT', '/organization-external-providers/v1/{id}/{version}', 'organization-external-providers:write'],
  'organizationExternalProviders.deactivate': ['DELETE', '/organization-external-providers/v1/{id}/{version}', 'organization-external-providers:write'],
  'organizationExternalProviders.scan': ['GET', '/organization-external-providers/v1/updates/scan', 'organization-external-providers:read'],
  'patientMerges.create': ['POST', '/patient-merge/v1', 'patient-merge:write'],
  'patientMerges.getStatus': ['GET', '/patient-merge/v1/status/{mrn_or_id}', 'patient-merge:read'],
  'patientMerges.getAllByMrn': ['GET', '/patient-merge/v1/all/{mrn}', 'patient-merge:read'],
  'patientMerges.deactivate': ['DELETE', '/patient-merge/v1/{id}/{version}', 'patient-merge:write'],
  'patientMerges.scan': ['GET', '/patient-merge/v1/updates/scan', 'patient-merge:read'],
  'patientMerges.search': ['POST', '/patient-merge/v1/search', 'patient-merge:read'],
  'patients.create': ['POST', '/patients/v1', 'patients:write'],
  'patients.search': ['GET', '/patients/v1', 'patients:read'],
  'patients.createWithMrn': ['POST', '/patients/v1/with_mrn', 'patients:write'],
  'patients.getMulti': ['GET', '/patients/v1/get_multi', 'patients:read'],
  'patients.searchProviders': ['GET', '/patients/v1/search_providers', 'patients:read'],
  'patients.get': ['GET', '/patients/v1/{id}', 'patients:read'],
  'patients.getByMrn': ['GET', '/patients/v1/mrn/{mrn}', 'patients:read'],
  'patients.getHistory': ['GET', '/patients/v1/{id}/history', 'patients:read'],
  'patients.getCoverageSnapshot': ['GET', '/patients/v1/{id}/snapshot', 'patients:read'],
  'patients.getEligibilityTimeline': ['GET', '/patients/v1/{id}/eligibility-timeline', 'patients:read'],
  'patients.update': ['PUT', '/patients/v1/{id}/{version}', 'patients:write'],
  'patients.deactivate': ['DELETE', '/patients/v1/{id}/{version}', 'patients:write'],
  'patients.reactivate': ['PATCH', '/patients/v1/{id}/{version}', 'patients:write'],
  'patients.scan': ['GET', '/patients/v1/updates/scan', 'patients:read'],
  'tags.get': ['GET', '/tags/v1/{id}', 'tags:read'],
  'tags.getAll': ['GET', '/tags/v1', 'tags:read'],
  'tags.create': ['POST', '/tags/v1', 'tags:write'],
  'tags.update': ['PUT', '/tags/v1/{id}/{version}', 'tags:write'],
  'tags.deactivate': ['DELETE', '/tags/v1/{id}/{version}', 'tags:write'],
  'storedChecks.getMulti': ['GET', '/anteroom/v1/eligibility-checks', 'eligibility-checks:read'],
  'storedChecks.get': ['GET', '/anteroom/v1/eligibility-checks/{id}', 'eligibility-checks:read'],
  'storedChecks.getMessages': ['GET', '/anteroom/v1/eligibility-checks/{id}/messages', 'admin'],
  'storedChecks.explainMessages': ['GET', '/anteroom/v1/eligibility-checks/{id}/explained-messages', 'admin'],
  'storedChecks.getBenefitSheet': ['GET', '/anteroom/v1/eligibility-checks/{id}/benefit-sheet', 'eligibility-checks:read'],
  'visitVerification.begin': ['POST', '/anteroom/v1/appointments/{id}/verification', 'appointments:write'],
  'visitVerification.get': ['GET', '/anteroom/v1/appointments/{id}/verification', 'appointments:read'],
  'coverageLimits.getMulti': ['GET', '/anteroom/v1/coverages/limits', 'coverages:read'],
  'board.getVisits': ['GET', '/anteroom/v1/lists/board', 'lists:read'],
  'patientSearch.find': ['GET', '/anteroom/v1/lists/patients', 'lists:read'],
  'eligibilityChecks.lookUpMedicareNumber': ['POST', '/anteroom/v1/medicare-numbers/look-up', 'medicare-numbers:write'],
  'audit.getMulti': ['GET', '/anteroom/v1/audit', 'admin'],
  'events.getMulti': ['GET', '/anteroom/v1/events', 'events:read'],
  'webhooks.getMulti': ['GET', '/anteroom/v1/webhooks', 'webhooks:read'],
  'webhooks.create': ['POST', '/anteroom/v1/webhooks', 'admin'],
  'webhooks.get': ['GET', '/anteroom/v1/webhooks/{webhook_id}', 'webhooks:read'],
  'webhooks.update': ['PUT', '/anteroom/v1/webhooks/{webhook_id}', 'admin'],
  'webhooks.remove': ['DELETE', '/anteroom/v1/webhooks/{webhook_id}', 'admin'],
  'webhooks.rotateSecret': ['POST', '/anteroom/v1/webhooks/{webhook_id}/rotate-secret', 'admin'],
  'webhooks.test': ['POST', '/anteroom/v1/webhooks/{webhook_id}/test', 'admin'],
  'webhooks.getDeliveries': ['GET', '/anteroom/v1/webhooks/{webhook_id}/deliveries', 'webhooks:read'],
  'webhooks.replayDelivery': ['POST', '/anteroom/v1/webhooks/{webhook_id}/deliveries/{number}/replay', 'admin'],
  'webhooks.replay': ['POST', '/anteroom/v1/webhooks/{webhook_id}/replay', 'admin'],
  'users.getMulti': ['GET', '/anteroom/v1/users', 'admin'],
  'users.create': ['POST', '/anteroom/v1/users', 'admin'],
  'users.update': ['PUT', '/anteroom/v1/users/{user_id}', 'admin'],
  'users.resetPassword': ['POST', '/anteroom/v1/users/{user_id}/password-reset', 'admin'],
  'users.resetSecondFactor': ['POST', '/anteroom/v1/users/{user_id}/second-factor-reset', 'admin'],
  'userNames.getMulti': ['GET', '/anteroom/v1/users/names', 'users:read'],
  'apiClients.getMulti': ['GET', '/anteroom/v1/api-clients', 'admin'],
  'apiClients.create': ['POST', '/anteroom/v1/api-clients', 'admin'],
  'apiClients.getScopes': ['GET', '/anteroom/v1/api-clients/scopes', 'admin'],
  'apiClients.update': ['PUT', '/anteroom/v1/api-clients/{client_id}', 'admin'],
  'apiClients.rotateSecret': ['POST', '/anteroom/v1/api-clients/{client_id}/rotate-secret', 'admin'],
  'apiClients.revoke': ['POST', '/anteroom/v1/api-clients/{client_id}/revoke', 'admin'],
  'connectors.getMulti': ['GET', '/anteroom/v1/connectors', 'admin'],
  'connectors.create': ['POST', '/anteroom/v1/connectors', 'admin'],
  'connectors.get': ['GET', '/anteroom/v1/connectors/{connector}', 'admin'],
  'connectors.update': ['PUT', '/anteroom/v1/connectors/{connector}', 'admin'],
  'connectors.remove': ['DELETE', '/anteroom/v1/connectors/{connector}', 'admin'],
  'connectors.test': ['POST', '/anteroom/v1/connectors/{connector}/test', 'admin'],
  'payerRoutes.getMulti': ['GET', '/anteroom/v1/payer-routes', 'admin'],
  'payerRoutes.set': ['PUT', '/anteroom/v1/payer-routes/{payer_id}', 'admin'],
  'payerRoutes.remove': ['DELETE', '/anteroom/v1/payer-routes/{payer_id}', 'admin'],
  'verificationRules.get': ['GET', '/anteroom/v1/verification-rules', 'admin'],
  'verificationRules.update': ['PUT', '/anteroom/v1/verification-rules', 'admin'],
  'systemHealth.get': ['GET', '/anteroom/v1/system-health', 'admin'],
  'session.create': ['POST', '/anteroom/v1/session', ''],
  'session.get': ['GET', '/anteroom/v1/session', ''],
  'session.remove': ['DELETE', '/anteroom/v1/session', ''],
  'session.changePassword': ['PUT', '/anteroom/v1/session/password', ''],
  'sessions.getMulti': ['GET', '/anteroom/v1/sessions', ''],
  'sessions.remove': ['DELETE', '/anteroom/v1/sessions/{session_id}', ''],
  'session.methods': ['GET', '/anteroom/v1/session/methods', ''],
  'secondFactor.get': ['GET', '/anteroom/v1/session/second-factor', ''],
  'secondFactor.create': ['POST', '/anteroom/v1/session/second-factor', ''],
  'secondFactor.confirm': ['POST', '/anteroom/v1/session/second-factor/confirmation', ''],
  'secondFactor.renewRecoveryCodes': ['POST', '/anteroom/v1/session/second-factor/recovery-codes', ''],
  'secondFactor.remove': ['POST', '/anteroom/v1/session/second-factor/removal', ''],
  'passkeys.getMulti': ['GET', '/anteroom/v1/session/passkeys', ''],
  'passkeys.create': ['POST', '/anteroom/v1/session/passkeys', ''],
  'passkeys.begin': ['POST', '/anteroom/v1/session/passkeys/options', ''],
  'passkeys.update': ['PUT', '/anteroom/v1/session/passkeys/{passkey_id}', ''],
  'passkeys.remove': ['POST', '/anteroom/v1/session/passkeys/{passkey_id}/removal', ''],
  'session.challenge': ['POST', '/anteroom/v1/session/passkey/options', ''],
  'session.createByPasskey': ['POST', '/anteroom/v1/session/passkey', ''],
}

/** The subjects of events, with what can happen to each: `patient.created`. */
export const eventVerbs = {
  appointment: ["created","updated","deactivated","reactivated"],
  coverage: ["created","updated","deactivated","reactivated"],
  eligibility_recommendation: ["created","updated","deactivated","reactivated"],
  image: ["created","updated","deactivated","reactivated"],
  metadata_schema: ["created","updated","deactivated","reactivated"],
  note: ["created","updated","deactivated","reactivated"],
  organization_external_provider: ["created","updated","deactivated","reactivated"],
  patient_merge: ["created","updated","deactivated","reactivated"],
  patient: ["created","updated","deactivated","reactivated"],
  tag: ["created","updated","deactivated","reactivated"],
  visit: ["ready","not_ready"],
  eligibility_check: ["finished"],
  eligibility_batch: ["finished"],
  webhook: ["disabled"],
} as const
